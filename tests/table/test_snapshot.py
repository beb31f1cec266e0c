"""A table out of a snapshot is the table that was put away: every field, every later answer, or no table."""

from __future__ import annotations

import dataclasses
import hashlib
from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, is_dataclass, replace
from datetime import UTC, datetime
from typing import Any, get_args, get_type_hints

import msgspec
import pytest

from lammer import Refused
from lammer.game.cards import Card
from lammer.game.roads import Result
from lammer.rulebook.model import Layout, Rulebook
from lammer.table import commands as c, snapshot as forms
from lammer.table.journal import snapshot
from lammer.table.play import record
from lammer.table.records import BeaconRound, OnOffer, PaidLine, ShufflePart, field_names
from lammer.table.script import START
from lammer.table.setup import Limits, SetUp
from lammer.table.snapshot import Unreadable, WrittenRounds, _seal, freeze, thaw
from lammer.table.state import PAST_ROUNDS, Insured, Laid, Past, PitCall, Placed, Round, Shoe, Shuffle, Table
from support.at_table import BOOK, BOOKS, ask, bets, cards, script

OTHER = "da-hu-ying-xiong-noncommission-insurance@2"
SETTLE = {"by": "dealer", "do": "settle"}
NATURAL = "QS 3D 9H 4C"
CommandRequest = tuple[str, str, c.Command]
"""Who asks, as what, and for what."""


def answer(table: Table, by: str, role: str, command: c.Command) -> Any:
    try:
        return record(table, c.Call(by, role, START, command))
    except Refused as refused:
        return refused.args


@dataclass(frozen=True)
class Moment:
    """A table at a moment worth naming, and what is asked of it next."""

    table: Table
    then: tuple[CommandRequest, ...]


def staff(*commands: c.Command) -> tuple[CommandRequest, ...]:
    return tuple(("boss", "table_game_shift_manager", command) for command in commands)


def deal(written: str) -> tuple[CommandRequest, ...]:
    return staff(*(c.DealCard(card) for card in written.split()))


def not_set_up() -> Moment:
    return Moment(Table(BOOKS), staff(c.OpenBets(), c.SetTable(SetUp(BOOK, "A"))))


def betting() -> Moment:
    """A standing bet gives way, a bet withdrawn is placed anew under another key."""
    steps = [
        *bets()[:3],
        {"by": "p3", "do": "place_bet", "box": 2, "bet": "banker", "stake": "9900"},
        {"by": "p1", "do": "place_bet", "box": 1, "bet": "tie", "stake": "10"},
        {"by": "p1", "do": "withdraw_bet", "box": 1, "bet": "tie", "stake": "10"},
    ]
    then: tuple[CommandRequest, ...] = (
        ("p2", "player", c.PlaceBet("p2", 2, "banker", 100_00)),
        ("p3", "player", c.PlaceBet("p3", 1, "banker", 20_000_00)),
        ("p1", "player", c.PlaceBet("p1", 1, "tie", 20_00)),
        ("p1", "player", c.PlaceBet("p1", 1, "player", 20_00)),
        ("p2", "player", c.WithdrawBet("p2", 2, "banker")),
        *staff(c.CloseBets()),
        *deal(NATURAL),
        *staff(c.Settle()),
    )
    return Moment(script(*steps).table, then)


def mid_window() -> Moment:
    """Insurance is on offer after four cards and half bought."""
    bought = {"by": "p1", "do": "place_insurance", "box": 1, "hand": "player", "stake": "30"}
    insure = c.PlaceInsurance("p1", 1, "player", 80_00)
    then = (
        ("p1", "player", insure),
        ("p1", "player", replace(insure, stake=70_00)),
        ("p2", "player", c.PlaceInsurance("p2", 2, "banker", 1_00)),
        *deal("9S"),
        *staff(c.Settle()),
    )
    return Moment(script(*bets(), cards("QS 3D 6H AC"), bought).table, then)


def interrupted() -> Moment:
    then = staff(c.DealCard("9S"), c.ResolveInterruption(), c.DealCard("9S"), c.Settle(), c.OpenBets())
    stopped = {"by": "dealer", "do": "interrupt", "reason": "power"}
    return Moment(script(*bets(), cards("QS 3D 6H"), stopped).table, then)


def misplaced() -> Moment:
    """A card went to the wrong hand; put right, one is left over for the next round."""
    table = script(*bets(), cards(NATURAL)).table
    ask(table, "d", "dealer", c.DealCard("5C", to="banker"))
    then = staff(
        c.Settle(),
        c.Reconstruct("excess_cards"),
        c.ChooseOption("p1", "return"),
        c.CloseOptions(),
        c.Settle(),
        c.OpenBets(),
        c.CloseBets(),
        c.DealCard("6C"),
        c.DealCard("5C"),
    )
    return Moment(table, then)


def options_half_answered() -> Moment:
    noted = {"by": "pit_supervisor", "do": "note_dealing_error", "what": "a card fell"}
    chosen = {"by": "p2", "do": "choose_option", "choice": "return"}
    then = staff(c.ChooseOption("p2", "continue"), c.DealCard("2C"), c.ChooseOption("p1", "continue"))
    return Moment(script(*bets(), cards("QS 3D"), noted, chosen).table, then + deal("9H 4C"))


def after_a_correction() -> Moment:
    """The first round was put right in the third; both can be looked into again."""
    one = [*bets(), cards("KS QD 7H 6C"), SETTLE]
    table = script(*one, *one, {"by": "dealer", "do": "open_bets"}).table
    correct = c.CorrectRound(1, "KS 7H 2D", "QD 6C")
    assert ask(table, "boss", "table_game_shift_manager", correct)
    misread, missing = replace(correct, player="KS 8H 2D"), replace(correct, round=2, player="KS 5H")
    then = staff(correct, misread, missing, missing, c.NoteLateError(1, "again"), c.NoteLateError(9, "none"))
    return Moment(table, then + staff(c.CloseBets()) + deal(NATURAL) + staff(c.Settle()))


def face_down_squeeze() -> Moment:
    """The highest bettor was given the squeeze and has opened one card."""
    given = {"by": "pit_supervisor", "do": "answer_squeeze", "consent": True}
    asked = {"by": "p1", "do": "request_squeeze"}
    table = script(*bets(), asked, given, cards("QS 3D 6H AC"), face_down=True).table
    ask(table, "p1", "player", c.OpenCard("player", 1))
    then = (
        ("p2", "player", c.OpenCard("player", 2)),
        ("p1", "player", c.OpenCard("player", 2)),
        ("d", "dealer", c.OpenCard("banker", 1)),
        ("d", "dealer", c.OpenCard("banker", 2)),
        *deal("9S"),
    )
    return Moment(table, then)


def new_rulebook_between_rounds() -> Moment:
    table = script(*bets(), cards(NATURAL), SETTLE).table
    for player in ("p1", "p2"):
        ask(table, player, "player", c.LeaveSeat(player))
    before = table.book
    ask(table, "boss", "pit_manager", c.SetTable(replace(table.require_setup(), rulebook=OTHER)))
    assert table.book is not before
    then = staff(c.ReopenSettlement("camera"), c.TakeSeat("p1", 1), c.OpenBets())
    return Moment(table, (*then, ("p1", "player", c.PlaceBet("p1", 1, "tie", 10_00))))


def walked_away() -> Moment:
    table = script(*bets(), {"by": "p1", "do": "leave_seat"}, cards(NATURAL), SETTLE).table
    return Moment(table, staff(c.OpenBets(), c.LeaveSeat("p1"), c.LeaveSeat("p2")))


def virtual_shoe() -> Moment:
    """The shoe shows its cut card in the second round and is revealed when it ends."""
    table = script(*bets(), entropy="c0ffee" * 8, cut=410).table
    play = (*(c.DealCard(),) * 6, c.Settle(), c.OpenBets(), c.CloseBets())
    return Moment(table, staff(*play, *play, c.EndShoe(), c.PrepareShoe("ab" * 16)))


def cut_card_came_first() -> Moment:
    """In a high-limit area players may withdraw; the shoe has its last round."""
    table = script(*bets(), {"by": "dealer", "do": "show_cut_card"}, high_limit=True).table
    then = staff(c.DealCard("KS"), c.WithdrawBet("p1", 1, "player"), c.CloseWithdrawal())
    return Moment(table, then + deal(NATURAL) + staff(c.Settle(), c.OpenBets()))


def insurance_announced() -> Moment:
    """Somebody will insure, and the next card waits for them."""
    told = {"by": "p1", "do": "announce_insurance", "box": 1, "hand": "player"}
    table = script(*bets(), cards("QS 3D 6H AC"), told).table
    insure = c.PlaceInsurance("p1", 1, "player", 10_00)
    meets: tuple[CommandRequest, ...] = (("p1", "player", insure),)
    return Moment(table, deal("9S") + meets + deal("9S") + staff(c.Settle()))


def offered_late() -> Moment:
    """Late Insurance was taken in one window; what it may win counts in the other."""
    gone = {"by": "p1", "do": "leave_seat"}
    late = {"by": "pit_manager", "do": "offer_missed_insurance", "players": "p1", "hand": "player"}
    bought = {"by": "p1", "do": "place_insurance", "box": 1, "hand": "player", "stake": "40"}
    table = script(*bets(), gone, cards("2S KD 3H 4C"), late, bought).table
    insure = c.PlaceInsurance("p1", 1, "player", 10_01)
    then: tuple[CommandRequest, ...] = (
        *deal("2H"),
        *staff(c.OfferMissedInsurance(("p1",), "player")),
        ("p1", "player", insure),
        ("p1", "player", replace(insure, stake=10_00)),
        *deal("5D"),
        *staff(c.Settle(), c.OfferMissedInsurance(("p1",), "player"), c.ReopenSettlement("camera")),
    )
    return Moment(table, then)


def chips_by_their_age() -> Moment:
    """A standing player's increase is later than a bet placed between."""
    late = [
        {"by": "p3", "do": "place_bet", "box": 1, "bet": "player", "stake": "3000"},
        {"by": "p4", "do": "place_bet", "box": 1, "bet": "player", "stake": "3000"},
        {"by": "p3", "do": "place_bet", "box": 1, "bet": "player", "stake": "3000"},
    ]
    then: tuple[CommandRequest, ...] = (
        ("p1", "player", c.PlaceBet("p1", 1, "player", 2_000_00)),
        ("p4", "player", c.WithdrawBet("p4", 1, "player", 500_00)),
        *staff(c.CloseBets()),
    )
    return Moment(script(*bets()[:2], *late).table, then)


def error_reported() -> Moment:
    """A dealer says that something went wrong; nobody above has said so yet."""
    noted = {"by": "dealer", "do": "note_dealing_error", "what": "a card fell", "reconstructable": True}
    table = script(*bets(), cards("2S KD"), noted).table
    then = staff(c.DealCard("3H"), c.ConfirmError(True), c.ChooseOption("p1", "return"), c.CloseOptions())
    return Moment(table, then)


def reopened() -> Moment:
    """Settled before: nobody chooses or insures any more."""
    again = {"by": "pit_supervisor", "do": "reopen_settlement", "reason": "camera"}
    table = script(*bets(), cards(NATURAL), SETTLE, again).table
    then = staff(
        c.NoteDealingError("a card fell"),
        c.CorrectCard("banker", 2, "5C", reason="it was a five"),
        c.NoteSwappedCards((1,), (1,)),
        c.Reconstruct("swapped_hands"),
        c.Settle(),
    )
    return Moment(table, then)


def card_exposed() -> Moment:
    """A card that belongs to no hand waits to be the next."""
    shown = {"by": "dealer", "do": "expose_card", "card": "QS"}
    table = script(*bets()[:3], shown).table
    then = staff(c.DealCard("QS"), c.CloseOptions(), c.DealCard("3D"), *(c.DealCard("QS"),))
    return Moment(table, then + deal("3D 9H 4C") + staff(c.Settle()))


MOMENTS = (
    not_set_up, betting, mid_window, interrupted, misplaced, options_half_answered, after_a_correction,
    face_down_squeeze, new_rulebook_between_rounds, walked_away, virtual_shoe, cut_card_came_first,
    insurance_announced, offered_late, chips_by_their_age, error_reported, reopened, card_exposed,
)  # fmt: skip


@pytest.mark.parametrize("moment", MOMENTS, ids=lambda moment: moment.__name__)
def test_a_table_goes_on_as_if_it_had_never_been_away(moment: Any) -> None:
    at = moment()
    again = thaw(BOOKS, freeze(at.table))
    assert snapshot(again) == snapshot(at.table)
    carried_out = 0
    for by, role, command in at.then:
        told = answer(at.table, by, role, command)
        assert answer(again, by, role, command) == told
        assert snapshot(again) == snapshot(at.table)
        again = thaw(BOOKS, freeze(again))
        carried_out += not isinstance(told[0], str)
    assert carried_out, "something has to happen after the moment"


def kinds(hint: Any) -> Iterable[type[Any]]:
    """Every kind of thing a hint names, at any depth."""
    if is_dataclass(hint) or (isinstance(hint, type) and issubclass(hint, msgspec.Struct)):
        yield hint  # type: ignore[misc]
        if hint not in (Rulebook, Layout):
            for part in get_type_hints(hint).values():
                yield from kinds(part)
    for part in get_args(hint):
        yield from kinds(part)


def names(kind: type[Any]) -> set[str]:
    return set(field_names(kind))


def test_every_field_of_the_state_is_carried() -> None:
    """What a snapshot leaves out follows from the rest or is handed in; a new field is carried by itself."""
    assert set(kinds(Table)) - {Rulebook, Layout} == set(forms.WRITTEN)
    for kind, frozen, follows in (
        (Table, forms.FrozenTable, {"book", "layout", "recall"}),  # Whoever thaws it says who recalls.
        (Round, forms.FrozenRound, {"by_place", "live_in_box"}),
        (Past, forms.FrozenPast, set()),
    ):
        assert names(kind) - set(frozen.__struct_fields__) == follows
        assert set(frozen.__struct_fields__) <= names(kind)
    for listed, row in ((Placed, forms.BetRow), (Insured, forms.InsuredRow), (PaidLine, forms.LineRow)):
        assert tuple(get_type_hints(listed).values()) == get_args(row)


def full() -> Table:
    """A table with something in every field; no game ever looks like it."""
    book = BOOKS[BOOK]
    line = PaidLine(
        1, "é☃", 1, "player", "four_cards", 1, "won", "5:2", 2, 1, "1/2", 3, ("4.1", "4"), "5:2", True, True,
        True,
    )  # fmt: skip
    limits = {"side": Limits(5, 7), "original": Limits(10**30, 2)}
    setup = SetUp(
        BOOK, "B", 7, 9, limits, 3, True, True, False, "read", 4, {"limits_mode": "advisory"},
        ("6", "é"), True, "z", "pit_manager", True, False, "a_play",
    )  # fmt: skip
    table = Table(
        BOOKS, setup, 5, "a test", {"z": 2, "a": 1}, {2: "z", 1: "a"}, {"z", "a"}, {"y", "a"},
        Shoe(3, "virtual", 9, 4, "c", ("AS", "KD"), "salt", 2, Counter({"KD": 2, "AS": 0}), True, True, 48,
             "h", "ef", (ShufflePart(2, "x"),), BeaconRound("cc", "s", "dd", 2, 4, 6, "ee", "ff")),
        Shoe(2, "read", 9, 4, "", (), "", 1, Counter({"KD": 1}), True, True),
        3, deque(["5C", "2D"]), None, 7, 9,
        {
            4: Past(4, setup, (Card("KS"),), (Card("QD"),), "tie", 9, (line,), True, True,
                    (("four_cards", "player"),), (("player", False),)),
            3: Past(3, SetUp(OTHER, "A"), (), (), "", 0, (), False),
        },
        {4: 2, 1: 1},
        {6: Result("tie", True, False, 6), 5: Result("banker", False, True, 9)}, True, 5, 2,
        {"b": -1, "a": 10**30}, 4,
        {
            4: PitCall(4, "é", "z", datetime(2026, 1, 2, 3, tzinfo=UTC)),
            2: PitCall(2, "b", "a", datetime(2026, 1, 1, tzinfo=UTC)),
        },
        True,
        Shuffle(
            8, 6, "ab" * 32, datetime(2026, 1, 2, 4, tzinfo=UTC),
            BeaconRound("aa", "bls-unchained-g1-rfc9380", "bb", 1, 3, 5), "cd" * 64,
            {"z": ShufflePart(4, "é"), "a": ShufflePart(1, "cut 200")},
        ),
        "a leaking roof",
        lambda number, corrections: None,
    )  # fmt: skip
    table.set_to(setup)
    table.round = Round(
        7, 3, setup, book, "dealing",
        turns=4,
        bets={
            8: Placed(8, "z", 2, "tie", 5, True, [(1, 2), (4, 3)]),
            6: Placed(6, "a", 1, "player", 6, False, [(2, 6)]),
        },
        by_place={("z", 2, "tie"): 8, ("a", 1, "player"): 6},
        sides={(2, "banker"): 5, (1, "player"): -1},
        live_in_box=Counter({(2, "z"): 1, (1, "a"): 1}),
        insured={9: Insured(9, "z", 2, "banker", "third_card", 4, "9:1", False, True, True)},
        cards=[Laid(Card("KS"), "player", 1, True, True), Laid(Card("5C"), "banker", 1, False)],
        misplaced=True, accepted=1, exposed_at=3, key_at_card=2,
        window="third_card", offers=(OnOffer("player", "5:2", "4"),),
        opened={("third_card", "player"), ("four_cards", "banker")}, forgone={"z", "a"},
        announced={("z", 2, "banker"), ("a", 1, "player")},
        declined={("b", 3, "player"), ("a", 1, "banker")},
        taken_back={("c", 3, "player"), ("b", 1, "banker")},
        missed={("z", "banker"), ("a", "player")},
        waived=True, squeeze=("z", "card"), squeezer="z", squeeze_asked=3, squeeze_from=2,
        banker_third_first=True, withdrawal=True, cut_first=True, cut_shown=True, interrupted=True,
        reported=("a card fell", True),
        options={"z": "", "a": "return"}, put_right=True, reopened=True, lines=(line, line),
        draws={"banker": True},
    )  # fmt: skip
    return table


def test_nothing_is_lost_of_a_table_with_something_in_every_field() -> None:
    table = full()
    assert table.setup is not None
    assert table.round is not None
    placed, insured = next(iter(table.round.bets.values())), next(iter(table.round.insured.values()))
    past = next(iter(table.past.values()))
    things = (table, table.round, table.shoe, table.setup, past, placed, insured, *past.lines)
    for thing in (*things, *table.round.cards[:1]):
        parts: Any = msgspec.structs if isinstance(thing, msgspec.Struct) else dataclasses
        none = (dataclasses.MISSING, msgspec.NODEFAULT)
        for part in parts.fields(thing):
            made = part.default if part.default_factory in none else part.default_factory()
            assert getattr(thing, part.name) != made, f"{part.name} is not filled in, so nothing is proved"
    again = thaw(BOOKS, freeze(table))
    assert again == table
    assert snapshot(again) == snapshot(table)
    assert freeze(again) == freeze(table)


def test_the_same_state_is_the_same_bytes_in_whatever_order_people_came() -> None:
    table, other = full(), full()
    many = [f"p{number}" for number in range(50)]
    for at, order in ((table, many), (other, many[::-1])):
        at.walked = set(order)
        assert at.round is not None
        at.round.forgone = set(order)
        at.round.missed = {(player, "player") for player in order}
        at.round.announced = {(player, 1, "player") for player in order}
    assert freeze(table) == freeze(other)


def test_what_cannot_be_read_is_refused_whole() -> None:
    good = freeze(mid_window().table)
    head, _, body = good.partition(b"\n")
    wrong = [b"", b"\n", body, good[:-1], good + b" "]
    wrong += [
        good.replace(b"lammer table %d " % forms.VERSION, b"lammer table %d " % (forms.VERSION - 1)),
        b" ".join([*head.split()[:3], b"0" * 16, head.split()[-1]]) + b"\n" + body,
        _seal(b""),
        _seal(b"{}"),
        _seal(body[:-1]),
        _seal(body.replace(b'"rounds":1', b'"rounds":"1"')),
        _seal(body.replace(b'"rounds":1', b'"rounds":1,"more":1')),
        _seal(body.replace(b'"layout":"A"', b'"layout":"Z"')),
        _seal(body.replace(b'"book":"tiger', b'"book":"lion')),
        _seal(body.replace(b'"phase":"dealing"', b'"phase":"dea\xff"')),
    ]
    assert len({hashlib.sha256(data).digest() for data in [good, *wrong]}) == len(wrong) + 1
    places = range(0, len(good), 97)
    flipped = [bytes([good[at] ^ 1]).join((good[:at], good[at + 1 :])) for at in places]
    for data in wrong + flipped:
        with pytest.raises(Unreadable, match="Replay the journal from its first event"):
            thaw(BOOKS, data)


def test_a_snapshot_stands_on_its_rulebooks() -> None:
    good = freeze(mid_window().table)
    changed = replace(BOOKS[BOOK], sha256="0" * 64)
    for books in ({}, {OTHER: BOOKS[OTHER]}, {**BOOKS, BOOK: changed}):
        with pytest.raises(Unreadable, match=f"stands on a {BOOK} that is not here"):
            thaw(books, good)


def test_it_stays_as_large_as_the_rounds_that_can_be_corrected_and_not_as_the_history() -> None:
    """Years of rounds and shoes leave nothing behind but their numbers; what is kept changes no byte."""
    table = script(entropy="c0ffee" * 8).table
    kept: WrittenRounds = {}
    sizes = []
    for number in range(1, 4 * PAST_ROUNDS + 1):
        ask(table, "d", "dealer", c.OpenBets())
        for box, player in ((1, "p1"), (2, "p2")):
            ask(table, player, "player", c.PlaceBet(player, box, "player", 100_00))
        ask(table, "d", "dealer", c.CloseBets())
        while table.next_hand() is not None:
            ask(table, "d", "dealer", c.DealCard())
        ask(table, "d", "dealer", c.Settle())
        if number % 40 == 0:
            ask(table, "d", "dealer", c.EndShoe())
            ask(table, "d", "dealer", c.PrepareShoe(f"{number:032x}"))
            frozen = freeze(table, kept)
            assert frozen == freeze(table)
            assert kept.keys() == table.past.keys()
            sizes.append(len(frozen))
    assert len(table.past) == PAST_ROUNDS
    assert max(sizes[3:]) < min(sizes[3:]) * 1.05


def test_a_round_that_was_put_right_is_written_anew() -> None:
    at = after_a_correction()
    kept: WrittenRounds = {}
    freeze(at.table, kept)
    for by, role, command in at.then:
        answer(at.table, by, role, command)
        assert freeze(at.table, kept) == freeze(at.table)


def test_bets_placed_and_withdrawn_leave_nothing_behind() -> None:
    """All evening long, if somebody likes: neither memory nor snapshot grows with it."""
    table = script(*bets()[:2]).table
    assert table.round is not None
    size = len(freeze(table))
    for _ in range(50):
        for command in (c.PlaceBet("p1", 1, "tie", 50_00), c.WithdrawBet("p1", 1, "tie")):
            record(table, c.Call("p1", "player", START, command))
    assert [bet.bet for bet in table.round.bets.values()] == ["player"]
    assert len(freeze(table)) <= size + len("50")
