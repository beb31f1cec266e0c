"""`lammer edges`, `lammer compare` and `lammer odds` as their users type them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from support.terminal import Terminal

BOOK = "tiger-buffalo-noncommission-insurance@3"


def test_edges_have_the_shape_programs_read(lammer: Terminal) -> None:
    document = lammer("edges", BOOK, "--json").json
    assert (document["rulebook"], document["decks"]) == (BOOK, 8)
    assert document["combinations"] == 4_998_398_275_503_360
    bets = {bet["bet"]: bet for bet in document["bets"]}
    assert bets["small_tiger"]["edge_percent"] == "14.3325"
    won = [each["combinations"] for each in bets["banker"]["outcomes"] if each["outcome"] == "won"]
    assert sum(won) == 2_292_252_566_437_888
    assert Fraction(bets["tie"]["edge"]) == 1 - 9 * Fraction(475_627_426_473_216, document["combinations"])
    assert len(document["insurance"]) == 83
    assert all(Fraction(each["edge"]) > 0 for each in document["insurance"])


def test_edges_for_people_and_spreadsheets(lammer: Terminal) -> None:
    told = lammer("edges", BOOK, "--layout", "M")
    assert "wu_dalang" in told.out
    assert "big_tiger" not in told.out
    assert "always insuring player" in told.out
    rows = lammer("edges", "tiger-buffalo-noncommission@4", "--csv", "--decks", "6").out.splitlines()
    assert rows[0] == "bet,edge %,deviation,outcomes"
    assert len(rows) == 21


def test_edges_from_any_shoe(lammer: Terminal) -> None:
    full = lammer("edges", BOOK, "--json").json
    removed = lammer("edges", BOOK, "--removed", "9H 9D", "--json").json
    counts = ",".join(f"{rank}={count}" for rank, count in removed["shoe"].items())
    same = lammer("edges", BOOK, "--shoe", counts, "--json").json
    assert removed == same
    assert removed["decks"] is None
    assert removed["bets"] != full["bets"]
    other = lammer("edges", BOOK, "--pays", "small_tiger=23:1", "--json").json
    edge, less = (
        next(Fraction(bet["edge"]) for bet in made["bets"] if bet["bet"] == "small_tiger")
        for made in (full, other)
    )
    won = next(bet["outcomes"][0] for bet in full["bets"] if bet["bet"] == "small_tiger")
    assert edge - less == Fraction(won["combinations"], full["combinations"])


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--shoe", "A=1"), "impossible_shoe"),
        (("--shoe", "A=lots"), "impossible_shoe"),
        (("--decks", "11"), "impossible_shoe"),
        (("--decks", "4", "--removed", " ".join(["9H"] * 17)), "impossible_shoe"),
        (("--removed", " ".join(["9H"] * 9)), "impossible_card"),
        (("--decks", "6", "--shoe", "A=20,5=20,9=20"), "options_disagree"),
        (("--csv",), "options_disagree"),
        (("--pays", "tie"), "not_odds"),
        (("--pays", "tie=8"), "not_odds"),
        (("--pays", "tie=0:1"), "not_odds"),
        (("--pays", "tiger=12:1"), "not_odds"),
        (("--pays", "tie=8:1,9:1"), "not_odds"),
        (("--pays", "dragon=8:1"), "unknown_bet"),
        (("--layout", "Z"), "unknown_layout"),
        (("--plot", "edges.pdf"), "unknown_format"),
        (("--plot", "/no/such/folder/edges.svg"), "cannot_write"),
    ],
)
def test_edges_refuse(lammer: Terminal, words: tuple[str, ...], code: str) -> None:
    ran = lammer("edges", BOOK, *words, "--json")
    assert (ran.code, ran.json["refused"]["code"]) == (1, code)


def test_odds_that_win_nothing_are_refused_with_the_reason(lammer: Terminal) -> None:
    told = lammer("edges", BOOK, "--pays", "tie=0:1").err
    assert "that win more than 0 for a stake of more than 0" in told


def test_a_bet_that_pays_in_several_ways_takes_odds_for_each(lammer: Terminal) -> None:
    made = lammer("edges", BOOK, "--pays", "tiger=13:1, 21:1", "--json").json
    before = lammer("edges", BOOK, "--json").json
    (other,), (tiger,) = ([bet for bet in each["bets"] if bet["bet"] == "tiger"] for each in (made, before))
    assert [outcome["pays"] for outcome in other["outcomes"]] == ["13:1", "21:1", None]
    won = sum(outcome["combinations"] for outcome in tiger["outcomes"][:2])
    assert Fraction(tiger["edge"]) - Fraction(other["edge"]) == Fraction(won, before["combinations"])


def test_before_the_first_card_the_odds_are_the_edges(lammer: Terminal) -> None:
    now = lammer("odds", "--cards", "", "--json").json
    edges = {bet["bet"]: bet for bet in lammer("edges", BOOK, "--json").json["bets"]}
    for bet in now["bets"]:
        exact = edges[bet["bet"]]
        shares = dict.fromkeys(("won", "lost", "returned"), Fraction(0))
        for outcome in exact["outcomes"]:
            shares[outcome["outcome"]] += Fraction(outcome["combinations"], 4_998_398_275_503_360)
        assert {name: Fraction(bet[name]) for name in shares} == shares
        assert Fraction(bet["worth"]) == -Fraction(exact["edge"])
    assert now["insurance"] == []


def test_cards_beyond_the_end_of_the_round_are_refused(lammer: Terminal) -> None:
    ran = lammer("odds", "--cards", "9S KD KH 2C 5S", "--json")
    assert (ran.code, ran.json["refused"]["code"]) == (1, "too_many_cards")
    assert ran.json["refused"]["next"] == "Leave out 5S."
    twice = lammer("odds", "--cards", "9S 9S KH KH", "--decks", "4", "--json")
    assert twice.code == 0
    five_times = lammer("odds", "--cards", "9S 9S 9S 9S 9S", "--decks", "4", "--json")
    assert (five_times.code, five_times.json["refused"]["code"]) == (1, "impossible_card")


def test_more_decks_with_a_flag(lammer: Terminal) -> None:
    assert lammer("edges", BOOK, "--decks", "12", "--any-decks").code == 0


def test_compare_shows_what_a_version_did(lammer: Terminal) -> None:
    words = ("compare", "tiger-buffalo-commission-insurance@3", BOOK)
    rows = {row["bet"]: row for row in lammer(*words, "--json").json["bets"]}
    assert rows["banker"] == {"bet": "banker", "from": "1.0579", "to": "1.4581", "change": "0.4002"}
    assert rows["tie"]["change"] == "0.0000"
    assert "banker" in lammer(*words).out


def test_compare_says_what_changed(lammer: Terminal) -> None:
    words = ("compare", "tiger-buffalo-commission-insurance@3", BOOK)
    document = lammer(*words, "--json").json
    assert [change["subject"] for change in document["changes"]][1:] == ["Banker"]
    assert {row["hand"]: row["change"] for row in document["always_insuring"]} == {
        "player": "0.0000",
        "banker": "0.0000",
    }
    told = lammer(*words).out
    assert "pays 0.95:1 -> on 6 1:2" in told
    assert "always insuring" in told
    versions = ("compare", "tiger-buffalo-noncommission-insurance@1", BOOK)
    assert "more that no edge feels" in lammer(*versions).out
    assert "Nothing changed that an edge could feel." in lammer("compare", BOOK, BOOK).out


def test_edges_are_drawn(lammer: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "edges.svg"
    ran = lammer("edges", BOOK, "--layout", "M", "--plot", str(file), "--json")
    assert (ran.code, ran.json["rulebook"]) == (0, BOOK)
    assert ">Wu Dalang<" in file.read_text("utf-8")


def test_odds_from_here(lammer: Terminal) -> None:
    now = lammer("odds", "--cards", "QS 3D 6H AC", "--json").json
    assert (now["player"], now["banker"]) == (["QS", "6H"], ["3D", "AC"])
    assert now["insurance"][0]["hand"] == "player"
    assert "insurance player at 5:2" in lammer("odds", "--cards", "QS 3D 6H AC").out
    assert lammer("odds", "--cards", "QS 3X").code == 1
