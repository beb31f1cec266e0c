"""`lammer settle` as its users type it: what it prints, and everything it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lammer.game.refusal_codes import CODES as OF_GAME
from lammer.rulebook.refusal_codes import CODES as OF_RULEBOOK
from support.settling import BOOK, ROUND, bets, insured, settle
from support.terminal import Terminal

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


def test_settle_gives_the_shape_the_guides_describe(lammer: Terminal) -> None:
    settled = settle(lammer, {})
    assert settled.code == 0
    document = settled.json
    assert document["net"] == {"p1": "25.00"}
    assert document["rulebook"]["id"] == BOOK
    assert len(document["rulebook"]["sha256"]) == 64
    assert document["result"] == {
        "winner": "banker",
        "player": {"cards": ["QS", "6H"], "points": 6},
        "banker": {"cards": ["3D", "AC", "5D"], "points": 9},
    }
    bet, insurance = document["lines"]
    assert bet == {
        "player": "p1",
        "box": 1,
        "bet": "player",
        "stake": "100.00",
        "outcome": "lost",
        "pays": None,
        "profit": "0.00",
        "commission": "0.00",
        "remainder": "0.00",
        "returned": "0.00",
        "cites": ["3.16", "4.1.1"],
    }
    assert insurance == {
        "player": "p1",
        "box": 1,
        "insurance": "player",
        "window": "four_cards",
        "stake": "50.00",
        "outcome": "won",
        "pays": "5:2",
        "profit": "125.00",
        "commission": "0.00",
        "remainder": "0.00",
        "returned": "175.00",
        "cites": ["4.1.14", "3.11"],
    }


def test_settle_reads_a_file_and_tells_people(lammer: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "round.json"
    file.write_text(
        json.dumps({**ROUND, "bets": [{**ROUND["bets"][0], "player": "[red]p1[/red]"}], "insurance": []})
    )
    told = lammer("settle", str(file))
    assert told.code == 0
    assert "Banker wins 9 to 6" in told.out
    assert "[red]p1[/red]" in told.out, "a name is text, not markup"


REFUSALS: list[tuple[dict[str, Any] | bytes, str, str | None]] = [
    (b"", "malformed_input", None),
    (b"{", "malformed_input", None),
    (b"[]", "malformed_input", None),
    (b"\xff\xfe{}", "malformed_input", None),
    (b"[" * 100_000, "malformed_input", None),
    (b" " * 5_000_000, "malformed_input", None),
    ({"colour": "red"}, "malformed_input", None),
    ({"bets": "player"}, "malformed_input", None),
    ({"cards": ["QS"]}, "malformed_input", None),
    ({"decks": "8"}, "malformed_input", None),
    ({"decks": 10**30}, "impossible_decks", "2.2.1"),
    ({"bets": [{"player": "", "box": 1, "bet": "player", "stake": "1"}]}, "not_a_player", None),
    ({"bets": [{"player": "p\x1b[2J", "box": 1, "bet": "player", "stake": "1"}]}, "not_a_player", None),
    ({"bets": [{"player": "\u200b", "box": 1, "bet": "player", "stake": "1"}]}, "not_a_player", None),
    ({"bets": [{"player": "p1 ", "box": 1, "bet": "player", "stake": "1"}]}, "not_a_player", None),
    ({"bets": [{"player": "x" * 65, "box": 1, "bet": "player", "stake": "1"}]}, "malformed_input", None),
    (b'{"layout": "A", "layout": "B"}', "malformed_input", None),
    ({"rulebook": "x\x00.toml"}, "unknown_rulebook", None),
    ({"readings": {"insurance_forgone": "window"}}, "unknown_reading", "5.3"),
    ({"layout": "Z", **{"maximum": "-1"}}, "unknown_layout", "2.1.1"),
    (
        {
            "maximum": None,
            **{
                "cards": "KS KD 5H 4C 4D 6S",
                "insurance": [{**ROUND["insurance"][0], "window": "third_card", "stake": "101"}],
            },
        },
        "insurance_above_original_bet",
        "3.12.2",
    ),
    (
        {"bets": [{"player": " ", "box": 1, "bet": "player", "stake": "1"}], "insurance": []},
        "not_a_player",
        None,
    ),
    (insured(window="fifth_card"), "malformed_input", None),
    ({"rulebook": "snap@1"}, "unknown_rulebook", None),
    ({"rulebook": "../../etc/passwd"}, "unknown_rulebook", None),
    ({"rulebook": "missing.toml"}, "unknown_rulebook", None),
    ({"readings": {"luck": "good"}}, "unknown_reading", None),
    ({"readings": {"rounding": "up"}}, "unknown_reading", "4.1.1"),
    ({"layout": "Z"}, "unknown_layout", "2.1.1"),
    ({"layout": "c"}, "unknown_layout", "2.1.1"),
    ({"decks": 3}, "impossible_decks", "2.2.1"),
    ({"decks": 11}, "impossible_decks", "2.2.1"),
    ({"cards": "QS 3D 6H AC 5X"}, "not_a_card", None),
    ({"cards": "QS 3D 6H AC 10D"}, "not_a_card", None),
    ({"cards": "QS QS QS QS QS QS", "decks": 4}, "impossible_card", "2.2.1"),
    ({"cards": ""}, "too_few_cards", "3.10"),
    ({"cards": "QS 3D 6H"}, "too_few_cards", "3.10"),
    ({"cards": "QS 3D 6H AC"}, "too_few_cards", "3.13"),
    ({"cards": "QS 3D 6H AC 5D 2D"}, "too_many_cards", "3.13"),
    ({"cards": "QS 3D 8H AC 5D"}, "too_many_cards", "3.15"),
    (bets("dragon"), "unknown_bet", "3.7"),
    (bets("tiger_pair"), "not_on_this_layout", "4.1.9"),
    (bets("player", stake="0"), "not_an_amount", None),
    (bets("player", stake="-5"), "not_an_amount", None),
    (bets("player", stake="1.005"), "not_an_amount", None),
    (bets("player", stake="1e3"), "not_an_amount", None),
    (bets("player", stake="1,000"), "not_an_amount", None),
    (bets("player", stake="NaN"), "not_an_amount", None),
    (bets("player", stake="١٠"), "not_an_amount", None),
    (bets("player", stake="9" * 10_000), "not_an_amount", None),
    (bets("player", stake="1000000000.01"), "amount_too_large", None),
    ({"maximum": "-1"}, "not_an_amount", None),
    ({"bets": [{"player": "p1", "box": 7, "bet": "player", "stake": "1"}]}, "no_such_box", "2.1.1.a"),
    ({"rulebook": "tiger-buffalo-noncommission@4"}, "no_insurance_here", "3.7"),
    (insured(window="third_card"), "insurance_not_on_offer", "3.12"),
    (insured(hand="banker"), "insurance_not_on_offer", "3.12"),
    (insured(box=2), "nothing_to_insure", "3.11"),
    (insured(player="p2"), "nothing_to_insure", "3.11"),
    (insured(stake="100.01"), "insurance_above_original_bet", "3.12.2"),
    (
        {"cards": "KS KD 5H 4C 4D 6S", "maximum": None, **insured(window="third_card")},
        "maximum_not_given",
        "3.12.2",
    ),
    (
        {"cards": "KS KD 5H 4C 4D 6S", "maximum": "100", **insured(window="third_card")},
        "insurance_above_share_of_maximum",
        "3.12.2",
    ),
    (
        {**bets("banker", stake="0.05"), "readings": {"rounding": "even_stakes_only"}},
        "does_not_pay_evenly",
        "4.1.1",
    ),
    (
        {
            "rulebook": str(EXAMPLES / "chemin-de-fer.toml"),
            **{"layout": "A", "cards": "2S KD 3H 6C", "insurance": [], "decks": 6},
        },
        "drawing_not_chosen",
        "title",
    ),
    (
        {
            "rulebook": str(EXAMPLES / "macau-style-insurance.toml"),
            **{"layout": "A", "cards": "2S KD 3H 7C 4H", "decks": 8},
            "bets": [{"player": "p1", "box": 1, "bet": "banker", "stake": "100"}],
            "insurance": [
                {"player": "p1", "box": 1, "hand": "banker", "window": window, "stake": "20"}
                for window in ("two_cards", "four_cards")
            ],
        },
        "insured_before",
        "title",
    ),
    (
        {
            "rulebook": str(EXAMPLES / "marina-bay-style-insurance.toml"),
            **{"layout": "A", "cards": "2S KD 2H 4C 3D 3H"},
            **insured(window="third_card", stake="50.01"),
        },
        "insurance_above_share_of_original",
        "title",
    ),
    (
        {"rulebook": str(EXAMPLES / "no-naturals.toml"), "layout": "A", "cards": "TS"},
        "impossible_card",
        "title",
    ),
]


@pytest.mark.parametrize(
    ("given", "code", "paragraph"), REFUSALS, ids=[f"{n}-{r[1]}" for n, r in enumerate(REFUSALS)]
)
def test_settle_refuses(
    lammer: Terminal, given: dict[str, Any] | bytes, code: str, paragraph: str | None
) -> None:
    ran = settle(lammer, given)
    assert ran.code == 1
    refused = ran.json["refused"]
    assert refused["code"] == code
    assert refused["sentence"]
    citation = refused["citation"]
    assert (citation and citation["paragraph"]) == paragraph
    assert f"Refused {code}: " in ran.err


def test_every_code_can_be_reached() -> None:
    """The others: a defective file, `standings`, `in_force`, writing a file, and a play nobody named."""
    reached = {code for _, code, _ in REFUSALS}
    elsewhere = {"defective_rulebook", "no_completion", "texts_do_not_tell", "cannot_write", "unknown_play"}
    assert reached | elsewhere >= OF_GAME.keys() | OF_RULEBOOK.keys()


def test_amounts_as_numbers_are_explained(lammer: Terminal) -> None:
    for stake in (100, 100.5, None):
        ran = settle(lammer, {"bets": [{"player": "p1", "box": 1, "bet": "player", "stake": stake}]})
        assert "bets[1].stake" in ran.json["refused"]["sentence"]
        assert 'like "100" or "47.50"' in ran.json["refused"]["sentence"]
    assert "47.50" not in settle(lammer, {"layout": 1.5}).json["refused"]["sentence"]


def test_words_that_are_not_allowed_name_those_that_are(lammer: Terminal) -> None:
    sentence = settle(lammer, insured(window="fifth_card")).json["refused"]["sentence"]
    assert "four_cards, third_card" in sentence
    assert "decks is missing" not in sentence
    assert "there is no field colour" in settle(lammer, {"colour": "red"}).json["refused"]["sentence"]


def test_a_key_given_twice_is_refused(lammer: Terminal) -> None:
    text = json.dumps(ROUND).replace('"stake": "100"', '"stake": "100", "stake": "1"').encode()
    assert "'stake' is given 2 times" in settle(lammer, text).json["refused"]["sentence"]


def test_other_readings_are_named_in_the_settlement(lammer: Terminal) -> None:
    change = {"layout": "M", "cards": "KS QD KH QC 2D 3S", **bets("tiger_pair")}
    assert "readings" not in settle(lammer, change).json
    other = settle(lammer, {**change, "readings": {"twin_pair": "same_value"}}).json
    assert other["readings"] == {"twin_pair": "same_value"}
    assert other["net"] == {"p1": "1000.00"}


def test_no_bets_settle_to_nothing(lammer: Terminal) -> None:
    assert settle(lammer, {"bets": [], "insurance": []}).json["net"] == {}
