"""A private file may leave out what is usual; what it then means, what it lacks, and what its hash covers."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

import lammer
from lammer import DefectiveRulebook, PlacedBet, load, parse_cards, settle
from lammer.rulebook.based_on import differences, resolved
from lammer.rulebook.diff import diff
from lammer.rulebook.load import whole_text
from lammer.rulebook.standard import STANDARD
from lammer.rulebook.toml_text import toml_of
from lammer.rulebook.vocabulary import MUST_BE_READ
from lammer.shelf import shipped_ids, text_by_id

SMALL = """
[rulebook]
game = "ez-baccarat"

[[bet]]
name = "player"
wins = { hand = "player" }
pays = "1:1"
tie_returns = true

[[bet]]
name = "banker"
wins = { hand = "banker" }
pays = "0.95:1"
tie_returns = true

[[bet]]
name = "small_tiger"
wins = { hand = "banker", total = 6, cards = 2 }
pays = "22:1"
"""


def test_seventeen_lines_are_a_rulebook() -> None:
    book = load(SMALL)
    assert (book.id, book.title, book.approved_by) == ("ez-baccarat@1", "Ez Baccarat", "")
    assert book.bets["small_tiger"].title == book.bets["small_tiger"].title_zh == "Small Tiger"
    assert book.bets["player"].original == "player"
    assert [*book.layouts] == ["A"]
    assert set(MUST_BE_READ) == book.readings.keys()
    assert "missed_insurance" not in book.irregularities
    settled = settle(book, "A", parse_cards("2S 9D 5H KC"), [PlacedBet("p1", 1, "banker", 100_00)])
    assert settled.net == {"p1": 95_00}
    assert {cite.paragraph for cite in settled.lines[0].cites} == {"title"}


def test_the_usual_is_what_the_documents_say() -> None:
    """Table of Play, cards and the steps of irregularities are those of a shipped document."""
    rules = {"cards changed", "table of play changed", "irregularity changed", "reading changed"}
    document = lammer.rulebook("tiger-buffalo-noncommission-insurance@3")
    changes = [change for change in diff(document, load(SMALL)) if change.kind in rules]
    assert [(change.subject, change.sentence) for change in changes] == [("decks", "4-10 -> 1-10")]


def test_what_is_left_out_is_told_once() -> None:
    lacks = [problem.where for problem in load(SMALL).lacks]
    assert len(lacks) == len(set(lacks))
    assert {"rulebook.approved_by", "table_of_play", "bet[3].offered", "paragraph", "bet[3].title_zh"} <= {
        *lacks
    }
    assert "table_of_play.banker[1].cite" not in lacks
    assert {problem.row for problem in load(SMALL).lacks if problem.where.startswith("bet[3]")} <= {
        17,
        18,
        19,
        20,
    }


@pytest.mark.parametrize("name", lammer.shelf())
def test_a_document_lacks_nothing(name: lammer.Rulebook) -> None:
    assert not name.lacks
    assert not name.based_on


def test_approved_means_complete() -> None:
    text = SMALL.replace("[[bet]]", 'approved_by = "a regulator"\n\n[[bet]]', 1)
    with pytest.raises(DefectiveRulebook) as caught:
        load(text)
    assert {"rulebook.title", "cards", "bet[1].defined", "bet[1].tie_returns", "paragraph"} <= {
        problem.where for problem in caught.value.problems
    }


def test_the_hash_covers_what_was_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise a later Lammer with another usual would play other rules under the same hash."""
    before = load(SMALL).sha256
    assert load(SMALL + "\n# a comment\n").sha256 == before
    assert load(SMALL.replace("22:1", "23:1")).sha256 != before
    monkeypatch.setitem(STANDARD["squeeze"], "right", "seated_player")
    assert load(SMALL).sha256 != before


def test_citations_without_an_index_are_taken_at_their_word() -> None:
    book = load(SMALL.replace('pays = "22:1"', 'pays = [{ odds = "22:1", cite = "4.1.7" }]'))
    assert [*book.paragraphs] == ["title", "4.1.7"]


def test_problems_come_in_one_order() -> None:
    text = SMALL.replace('"22:1"', '"22"').replace('"player" }', '"dragon", luck = 1, pluck = 2 }')
    told = []
    for _ in range(5):
        with pytest.raises(DefectiveRulebook) as caught:
            load(text)
        told.append(str(caught.value))
    assert len(set(told)) == 1


def test_a_bet_without_a_pay_table_is_a_problem_and_no_crash() -> None:
    with pytest.raises(DefectiveRulebook) as caught:
        load(SMALL.replace('pays = "22:1"', ""))
    assert [problem.where for problem in caught.value.problems] == ["bet[3].pays"]


BASE = "tiger-buffalo-noncommission-insurance@3"
CHANGED = f"""
[rulebook]
game = "buffalo-nine"
based_on = "{BASE}"

[[bet]]
name = "tie"
pays = "9:1"

[[bet]]
name = "tiger"
removed = true

[[bet]]
name = "eight"
wins = {{ hand = "player", total = 8, cards = 3 }}
pays = "24:1"

[insurance]
offer = [
  {{ hand = "player", window = "four_cards", own = [7], other = [0, 1, 2, 3, 4, 5], odds = "5:1" }},
]
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    (file := tmp_path / "buffalo-nine@1.toml").write_text(CHANGED)
    return file


def test_changed_rows_only(mine: Path) -> None:
    base, book = lammer.rulebook(BASE), lammer.rulebook(str(mine))
    assert (book.based_on, book.title) == (BASE, "Buffalo Nine")
    said = {(change.kind, str(change.subject), str(change.sentence)) for change in diff(base, book)}
    assert {change for change in said if change[0] not in ("identity", "game")} == {
        ("bet changed", "Tie", "pays 8:1 -> 9:1"),
        ("bet removed", "Tiger", "gone"),
        ("bet added", "Eight", "new"),
        ("bet changed", "Tie", "pays 8:1 -> 9:1"),
    } | {("insurance changed", f"Player 7 against {other}, four cards", "4:1 -> 5:1") for other in range(6)}
    assert ("identity", "based on", BASE) in said
    assert book.bets["tie"].defined.paragraph == base.bets["tie"].defined.paragraph
    assert book.bets["tie"].pays[0].cites[0].paragraph == "title"


def test_the_hash_is_of_what_it_comes_to(mine: Path) -> None:
    """A change of the base is a change of every file that stands on it."""
    second = mine.with_name("second.toml")
    second.write_text('[rulebook]\ngame = "on-top"\nbased_on = "buffalo-nine@1"\n')
    before = lammer.rulebook(str(second))
    assert [odds.text for odds in before.bets["tie"].odds] == ["9:1"]
    mine.write_text(CHANGED.replace("9:1", "8:1"))
    assert lammer.rulebook(str(second)).sha256 != before.sha256


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("based_on", 'approved_by = "a regulator"\nbased_on'), "a complete file"),
        ((f'"{BASE}"', '"buffalo-nine@1"'), "the id of another"),
        ((f'"{BASE}"', "7"), "the id of another"),
    ],
)
def test_what_cannot_be_based_on(mine: Path, change: tuple[str, str], expected: str) -> None:
    mine.write_text(CHANGED.replace(*change))
    with pytest.raises(DefectiveRulebook) as caught:
        lammer.rulebook(str(mine))
    (problem,) = caught.value.problems
    assert (problem.where, expected in problem.expected) == ("rulebook.based_on", True)


def test_a_base_that_is_not_there(mine: Path) -> None:
    mine.write_text(CHANGED.replace(BASE, "snap@1"))
    with pytest.raises(lammer.Refused, match="unknown_rulebook"):
        lammer.rulebook(str(mine))


def test_problems_are_told_where_they_stand(mine: Path) -> None:
    text = CHANGED.replace('"24:1"', '"24"').replace("total = 8", "total = 11")
    mine.write_text(text)
    with pytest.raises(DefectiveRulebook) as caught:
        lammer.rulebook(str(mine))
    rows = {problem.where: problem.row for problem in caught.value.problems}
    lines = text.splitlines()
    assert rows == {
        "bet[3].wins.total": 1 + next(place for place, line in enumerate(lines) if "total = 11" in line),
        "bet[3].pays[1].odds": 1 + lines.index('pays = "24"'),
    }


def test_a_deck_without_tens_needs_no_values_of_its_own() -> None:
    cards = load(
        SMALL + '\n[cards]\ndecks = { fewest = 6, most = 8, ranks = "A 2 3 4 5 6 7 8 9 J Q K" }\n'
    ).cards
    assert (cards.deck, "T" in cards.points, cards.points["9"]) == (48, False, 9)


def test_yes_and_no_stand_for_a_paragraph() -> None:
    offer = (
        '{ hand = "player", window = "four_cards", own = [7], other = [0, 1], odds = "4:1", tie_wins = true }'
    )
    book = load(f"{SMALL}\n[insurance]\noffer = [{offer}]\n")
    assert book.insurance is not None
    assert book.insurance.offers[0].tie_wins == book.cite("title")
    assert "missed_insurance" in book.irregularities
    assert load(SMALL.replace("tie_returns = true", "tie_returns = false")).bets["player"].tie_returns is None


@pytest.mark.parametrize("text", [SMALL, CHANGED], ids=["small", "based on another"])
def test_written_out_whole_it_is_the_same_rulebook(text: str) -> None:
    """What a house keeps for its record: it needs neither the base nor what is usual in a later Lammer."""
    book, whole = load(text, find=text_by_id), whole_text(text, find=text_by_id)
    again = load(whole)
    assert "based_on" not in whole
    assert (again.id, again.sha256, again.based_on) == (book.id, book.sha256, book.based_on)
    assert not diff(book, again) or again.based_on
    assert load(whole_text(whole)).sha256 == book.sha256


@pytest.mark.parametrize("name", shipped_ids())
def test_values_are_written_as_they_were_read(name: str) -> None:
    values = tomllib.loads(text_by_id(name))
    assert tomllib.loads(toml_of(values)) == values


@given(
    st.dictionaries(
        st.text(min_size=1), st.dictionaries(st.text(), st.text() | st.booleans() | st.integers())
    )
)
def test_any_text_survives(values: dict[str, dict[str, str | bool | int]]) -> None:
    assert tomllib.loads(toml_of(values)) == values


def test_only_what_differs_is_said() -> None:
    base = tomllib.loads(text_by_id(BASE))
    mine, _ = resolved(tomllib.loads(CHANGED), {BASE: base}.__getitem__)
    said = dict(differences(base, mine))
    identity = {"game": "buffalo-nine", "based_on": BASE}
    shorter = {"rulebook": identity, **said}
    assert resolved(shorter, {BASE: base}.__getitem__)[0] == mine
    assert {row["name"] for row in shorter["bet"]} == {"tie", "tiger", "eight"}


def test_what_is_said_as_in_the_base_is_known_in_chinese(mine: Path) -> None:
    """And what the file says otherwise is said in English, not in words about something else."""
    mine.write_text(CHANGED + '\n[[paragraph]]\nnumber = "1.7"\ngist = "Something else"\n')
    base, book = lammer.rulebook(BASE).translation("zh"), lammer.rulebook(str(mine)).translation("zh")
    assert "1.7" in base.gists
    assert book.gists == {number: gist for number, gist in base.gists.items() if number != "1.7"}
    assert book.irregularities == base.irregularities
