"""What a script says of itself is checked, all of it; what nobody would check is refused."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

import lammer
from lammer.rulebook.force import in_force
from lammer.rulebook.refusal import Refused
from lammer.table.expectations import _EXPECTATIONS
from lammer.table.per_rulebook import under_rulebook
from lammer.table.script import START, ScriptRun, run, unmet_expectations

BOOKS = {book.id: book for book in lammer.shelf()}
AT_3 = "tiger-buffalo-noncommission-insurance@3"
AT_4 = "tiger-buffalo-noncommission@4"
AT_1 = "tiger-buffalo-noncommission-insurance@1"


def steps() -> list[dict[str, Any]]:
    """Player 6 insured, Banker draws to 9; then a round is opened and left."""
    return [
        {"by": "dealer", "do": "open_bets"},
        {"by": "p1", "do": "place_bet", "box": 1, "bet": "player", "stake": "100"},
        {"by": "dealer", "do": "close_bets"},
        {"by": "dealer", "do": "deal_cards", "cards": "QS 3D 6H AC"},
        {"by": "p1", "do": "place_insurance", "box": 1, "hand": "player", "stake": "50", "cites": "4.1.14"},
        {"by": "dealer", "do": "deal_card", "card": "5D"},
        {"by": "dealer", "do": "deal_card", "card": "5D", "refused": "round_is_complete", "cites": "3.15"},
        {"by": "dealer", "do": "settle"},
    ]


def again() -> list[dict[str, Any]]:
    """A second round on the same table, in which p1 lets Insurance pass."""
    return [
        {"by": "dealer", "do": "open_bets"},
        {"by": "p1", "do": "place_bet", "box": 1, "bet": "player", "stake": "100.5"},
        {"by": "dealer", "do": "close_bets"},
        {"by": "dealer", "do": "deal_cards", "cards": "QS 3D 6H AC 5D"},
    ]


def script(**more: Any) -> dict[str, Any]:
    return {"rulebook": AT_3, "layout": "C", "seats": {"p1": 1}, "bank": "1000", "step": steps(), **more}


def play(**more: Any) -> ScriptRun:
    return run(BOOKS, script(**more))


TRUE: dict[str, Any] = {
    "ends": "settled",
    "hands": {"player": "QS 6H", "banker": "3D AC 5D"},
    "net": {"p1": "25"},
    "bank": "975.00",
    "commission": "0",
    "cites": {"p1": ["4.1.14", "3.11"]},
    "events": ["BettingOpened", "WindowOpened", "RoundSettled"],
    "never": ["RoundVoided"],
    "insured": {"p1": "50.0"},
    "forgone": [],
    "carried": "",
    "rounds": [1],
    "past": {},
}
FALSE: list[tuple[str, Any, str]] = [
    ("ends", "void", "ends: expected void, came settled"),
    ("hands", {"player": "QS 6D"}, "Player hand: expected QS 6D, came QS 6H"),
    ("hands", {"banker": "3D AC"}, "Banker hand: expected 3D AC, came 3D AC 5D"),
    ("net", {"p1": "25.01"}, "net of p1: expected 25.01, came 25.00"),
    ("net", {"p1": "-25"}, "net of p1: expected -25.00, came 25.00"),
    ("net", {}, "net of p1: expected nothing said, came 25.00"),
    ("net", {"p1": "25", "p9": "0"}, "net of p9: expected 0, came no such player; there are p1"),
    ("bank", "1000", "bank: expected 1000.00, came 975.00"),
    ("commission", "5", "commission: expected 5.00, came 0.00"),
    ("cites", {"p1": ["4.1.14", "5.5"]}, "cites of p1: expected 5.5, came "),
    ("cites", {"p2": "4.1.1"}, "cites of p2: expected 4.1.1, came no paragraph"),
    ("events", ["RoundVoided"], "events: expected RoundVoided, came it did not happen"),
    ("events", ["RoundSettled", "BettingOpened"], "events: expected BettingOpened, came it happened earlier"),
    ("never", ["RoundSettled"], "never: expected no RoundSettled, came event "),
    ("insured", {"p1": "49"}, "insured of p1: expected 49.00, came 50.00"),
    ("insured", {}, "insured of p1: expected nothing said, came 50.00"),
    ("forgone", ["p1"], "forgone: expected p1, came nothing"),
    ("carried", "4D", "carried: expected 4D, came nothing"),
    ("rounds", [1, 2], "rounds on the roads: expected [1, 2], came [1]"),
    ("past", {"7": {"void": False}}, "past round 7: expected an earlier round, came none of that number"),
]


def test_what_is_true_is_met() -> None:
    assert set(TRUE) == set(_EXPECTATIONS), "every kind of expectation is tried"
    assert unmet_expectations(play(expect=TRUE)) == []


def test_every_kind_of_expectation_is_tried_false() -> None:
    assert {key for key, _, _ in FALSE} == set(_EXPECTATIONS)


@pytest.mark.parametrize(("key", "wanted", "said"), FALSE)
def test_what_is_false_is_said(key: str, wanted: Any, said: str) -> None:
    (short,) = unmet_expectations(play(expect={**TRUE, key: wanted}))
    assert str(short).startswith(said)


def test_a_second_round_knows_the_first_and_who_let_insurance_pass() -> None:
    first = {"player": "QS 6H", "banker": "3D AC 5D", "void": False}
    done = {"step": steps() + again()}
    assert (
        unmet_expectations(
            play(**done, expect={"forgone": ["p1"], "past": {"1": first}, "net": {"p1": "-75.5"}})
        )
        == []
    )
    false = {"player": "QS 5H", "banker": "3D AC", "void": True}
    assert [short.where for short in unmet_expectations(play(**done, expect={"past": {"1": false}}))] == [
        "player of past round 1",
        "banker of past round 1",
        "void of past round 1",
    ]


@pytest.mark.parametrize(
    ("number", "change", "said"),
    [
        (7, {"refused": ""}, "step 7 (deal_card by dealer): expected no refusal, came Refused round_is_comp"),
        (
            7,
            {"refused": "no_round"},
            "step 7 (deal_card by dealer): expected refused as no_round, came Refused",
        ),
        (7, {"cites": "9.9"}, "step 7 (deal_card by dealer), cites: expected 9.9, came 3.15"),
        (
            8,
            {"refused": "no_round"},
            "step 8 (settle by dealer): expected refused as no_round, came no refusal",
        ),
        (5, {"cites": "4.1.1"}, "step 5 (place_insurance by p1), cites: expected 4.1.1, came 4.1.14"),
        (5, {"cites": ["4.1.14", "5.5"]}, "step 5 (place_insurance by p1), cites: expected 5.5, came 4.1.14"),
    ],
)
def test_what_a_step_says_falsely_is_said(number: int, change: dict[str, Any], said: str) -> None:
    changed = steps()
    changed[number - 1] = {**changed[number - 1], **change}
    (short,) = unmet_expectations(play(step=changed))
    assert str(short).startswith(said)


def test_a_set_up_that_is_refused_is_not_passed_over() -> None:
    (short,) = [
        short for short in unmet_expectations(play(layout="Z", step=[])) if "set_table" in short.where
    ]
    assert short.where == "the set-up (set_table by pit_manager)"
    assert "unknown_layout" in short.came


MISSPELT: list[tuple[dict[str, Any], str]] = [
    ({"face_dwon": True}, "A script has no face_dwon. It may have at, bank, box_names, "),
    ({"differential": "500"}, "A script has no differential."),
    ({"limits": {"minimun": "5"}}, "limits has no minimun. It may have differential, maximum, minimum."),
    ({"limits": {"tie": {"minimun": "5"}}}, "limits.tie has no minimun. It may have maximum, minimum."),
    ({"limits": {"tie": {"differential": "5"}}}, "limits.tie has no differential."),
    ({"limits": "5"}, "limits is a table"),
    ({"readings": "5"}, "readings is a table"),
    ({"seats": {"p1": "one"}}, "seats.p1 is the number of a box."),
    ({"set_by": "boss"}, "set_by is no role."),
    ({"at": "noon"}, "at is a moment with its offset"),
    ({"at": datetime(2026, 1, 1)}, "at is a moment with its offset"),
    ({"proves": ["9.99"]}, f"proves names 9.99, which {AT_3} does not have."),
    ({"proves": "4.1"}, "proves is a list of paragraphs"),
    ({"rulebooks": {AT_3: []}}, "rulebook stands beside rulebooks."),
    ({"expect": {"nett": {"p1": "25"}}}, "expect has no nett. It may have bank, carried, "),
    ({"expect": {"hands": {"dealer": "QS"}}}, "expect.hands has no dealer. It may have banker, player."),
    ({"expect": {"hands": {"player": "QX"}}}, "expect.hands.player: 'QX' is not a card."),
    ({"expect": {"past": {"1": {"viod": True}}}}, "expect.past.1 has no viod. It may have banker, player, "),
    ({"expect": {"past": {"one": {}}}}, "expect.past.one is not the number of a round."),
    ({"expect": {"never": ["OptionsOfered"]}}, "expect.never is 'OptionsOfered'. It may be TableSet, "),
    ({"expect": {"ends": "setled"}}, "expect.ends is 'setled'. It may be betting, dealing, "),
    ({"expect": {"rounds": ["1"]}}, "expect.rounds is a list of the numbers of rounds."),
    ({"expect": {"carried": 4}}, "expect.carried is '4' and has to be text in quotes."),
    ({"step": [{"by": "dealer"}]}, "Step 1 needs by and do."),
    ({"step": [{"by": "dealer", "do": "open_betts"}]}, "Step 1 does 'open_betts', which is no command."),
    ({"step": [{"by": "dealer", "do": "settle", "fast": True}]}, "Step 1 (settle) has no fast. It may have "),
    ({"step": [{"by": "dealer", "do": "deal_cards", "card": "9S"}]}, "Step 1 (deal_cards) has no card."),
    ({"step": [{"by": "dealer", "do": "settle", "refuse": "no_round"}]}, "Step 1 (settle) has no refuse."),
    ({"step": [{"by": "dealer", "do": "settle", "refused": "no_rund"}]}, "refused of Step 1 (settle) is"),
    ({"step": [{"by": "dealer", "do": "settle", "cites": 5}]}, "cites of Step 1 (settle) is a text or "),
    (
        {"step": [{"by": "pit_manager", "do": "set_table", "setup": {"rulebook": AT_3, "layuot": "A"}}]},
        "Step 1 (set_table): setup has no layuot.",
    ),
    (
        {"step": [{"by": "pit_manager", "do": "set_table", "setup": {"limits": {"tie": {"least": "5"}}}}]},
        "Step 1 (set_table): setup.limits.tie has no least.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("change", "said"), MISSPELT)
def test_a_key_nobody_looks_at_is_refused_with_its_place(change: dict[str, Any], said: str) -> None:
    with pytest.raises(Refused) as refused:
        play(**change)
    assert refused.value.code == "malformed_input"
    assert str(refused.value).removeprefix("Refused malformed_input: ").startswith(said)


@pytest.mark.parametrize("written", ["25.0.0", "abc", "--25", "1e3", ""])
def test_an_amount_that_is_none_is_refused(written: str) -> None:
    with pytest.raises(Refused, match=r"expect\.net\.p1"):
        play(expect={"net": {"p1": written}})


def test_every_value_may_differ_by_rulebook() -> None:
    """Layout, readings, limits, seats, fields and expectations of steps, and every depth of `expect`."""
    shared = script(
        rulebooks={AT_3: ["4.1.14"], AT_4: ["4.1.1"]},
        layout={AT_3: "C", AT_4: "A"},
        readings={AT_3: {"limits_mode": "advisory"}, AT_4: {}},
        limits={"minimum": {AT_3: "10", AT_4: "100"}},
        expect={
            "net": {"p1": {AT_3: "-15.00", AT_4: "200"}},
            "insured": {AT_3: {"p1": "50"}, AT_4: {}},
            "cites": {"p1": {AT_3: ["4.1.14"], AT_4: ["4.1.1"]}},
        },
    )
    del shared["rulebook"]
    shared["step"][1]["bet"] = {AT_3: "player", AT_4: "banker"}
    shared["step"][1]["stake"] = {AT_3: "140.00", AT_4: "200"}
    shared["step"][4].update(
        refused={AT_3: "", AT_4: "no_insurance_here"}, cites={AT_3: "4.1.14", AT_4: "3.7"}
    )
    shared["step"][6]["cites"] = {AT_3: "3.15", AT_4: "3.12"}
    for book, layout in ((AT_3, "C"), (AT_4, "A")):
        played = run(BOOKS, under_rulebook(shared, book))
        assert not [str(short) for short in unmet_expectations(played)]
        assert played.table.require_setup().layout == layout
    with pytest.raises(Refused, match="names several"):
        run(BOOKS, shared)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"layout": {AT_3: "C"}}, f"layout says nothing for {AT_4}."),
        ({"expect": {"net": {"p1": {AT_3: "25"}}}}, f"expect.net.p1 says nothing for {AT_4}."),
        ({"step": [{"by": "p1", "do": {AT_3: "settle"}}]}, f"step 1.do says nothing for {AT_4}."),
        ({"layout": {AT_3: "C", AT_4: "A", "snap@1": "A"}}, "layout speaks of snap@1, which the script does"),
        ({"layout": {AT_3: "C", AT_4: "A", "both": "A"}}, "layout mixes rulebooks with both."),
        ({"rulebooks": {}}, "rulebooks names none."),
        ({"rulebooks": {AT_4: "4.1"}}, f"rulebooks.{AT_4} is a list of paragraphs"),
    ],
)
def test_a_rulebook_left_out_is_no_empty_value(change: dict[str, Any], said: str) -> None:
    shared = {**script(rulebooks={AT_3: [], AT_4: []}), **change}
    del shared["rulebook"]
    with pytest.raises(Refused) as refused:
        under_rulebook(shared, AT_4)
    assert refused.value.sentence.startswith(said)


def test_a_script_runs_when_its_rulebook_is_in_force() -> None:
    for book in BOOKS.values():
        at = run(BOOKS, script(rulebook=book.id, layout="A", step=[])).journal[0].at
        assert at >= book.in_force_from
        assert in_force(BOOKS.values(), book.game, at).rulebook is book
    assert play().journal[0].at.date() == START.date()


def test_a_script_may_say_when_it_begins_and_when_a_step_is_taken() -> None:
    noon = datetime.fromisoformat("2026-03-01T12:00:00+08:00")
    later = datetime.fromisoformat("2026-03-02T09:30:00+08:00")
    timed = steps()
    timed[3]["at"] = later
    played = play(at=noon, step=timed)
    assert (played.journal[0].at - noon).total_seconds() == 1
    times = [taken.call.at for taken in played.steps if taken.call.step == 4]
    assert [(at - later).total_seconds() for at in times] == [0, 1, 2, 3]
    timed[3]["at"] = datetime.fromisoformat("2026-02-01T00:00:00+08:00")
    with pytest.raises(Refused, match="Step 4: at is before 2026-03-01"):
        play(at=noon, step=timed)


def test_who_sets_the_table_up_may_be_said() -> None:
    played = play(set_by="table_game_shift_manager", step=[])
    assert (played.journal[0].by, played.journal[0].role) == ("table_game_shift_manager",) * 2
    assert "not_your_role" in unmet_expectations(play(set_by="dealer", step=[]))[0].came


def test_a_step_may_set_the_table_anew() -> None:
    step = {"by": "pit_manager", "do": "set_table", "setup": {"rulebook": AT_3, "layout": "C", "decks": 8}}
    assert unmet_expectations(play(step=[step])) == []
    unknown = {"by": "pit_manager", "do": "set_table"}
    assert "malformed_input" in unmet_expectations(play(step=[unknown]))[0].came
