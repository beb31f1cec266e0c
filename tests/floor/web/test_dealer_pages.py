"""What the pages for whoever deals and supervises are made of: forms, lists, words in both languages."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from msgspec import structs

from lammer import rulebook
from lammer.floor.record.revealed import RevealedEvent
from lammer.floor.tables.next_steps import lawful
from lammer.floor.views.viewing import Viewer, event_seen
from lammer.floor.web.pages.dealer import dealer_view
from lammer.floor.web.pages.dealer.paying import paying_order
from lammer.floor.web.pages.irregularities.something_wrong import moved_cards
from lammer.floor.web.pages.irregularities.what_happened import ASKS, GROUPS, PLAIN, RECORDED, Ask
from lammer.floor.web.pages.pit import pit_view, set_up
from lammer.floor.web.pages.pit.table_report import as_csv
from lammer.floor.web.pages.site.commanding import fields_of
from lammer.game.cards import parse_cards
from lammer.rulebook.force import superseded_by
from lammer.rulebook.refusal import Refused
from lammer.shelf import shelf, shipped_ids
from lammer.table import events as e
from lammer.table.commands import Call
from lammer.table.decoding import command_of, setup_of
from lammer.table.journal import Entry
from lammer.table.records import LaidCard, PaidLine
from lammer.table.report import Report, Takings
from lammer.table.script import run
from lammer.table.setup import Limits, SetUp
from lammer.table.state import Past, Table
from lammer.wording.catalogues import Language
from lammer.wording.events import EventWriter
from lammer.wording.refusals import in_language

BOOK = rulebook("tiger-buffalo-noncommission-insurance@3")
NOW = datetime(2026, 1, 1, tzinfo=UTC)
TYPED = {
    "text": "x", "reason": "a bird flew in", "card": "9h", "cards": "9h, 10♠", "hand": "banker", "place": "2",
    "round": "7", "players": ["p1", "p2"], "player": "p1", "box": "3", "window": "third_card",
    "effect": "void_round", "yes": "yes", "what": "the shoe fell over", "why": "mistyped",
    "places": "1, 2", "hands": "9h 10♠",
}  # fmt: skip


def table_of(*steps: dict[str, Any], **script: Any) -> Table:
    made = {"rulebook": BOOK.id, "layout": "C", "limits": {"minimum": "50"}, "seats": {"p1": 1, "p2": 2}}
    return run({BOOK.id: BOOK}, made | script | {"step": list(steps)}).table


@pytest.mark.parametrize("ask", [ask for asks in ASKS.values() for ask in asks], ids=lambda ask: ask.label)
def test_every_form_makes_a_command_of_the_vocabulary(ask: Ask) -> None:
    fixed = {name: {True: "yes", False: "no"}.get(value, value) for name, value in ask.fixed.items()}
    form = {field.name: TYPED[field.kind] for field in ask.fields} | fixed
    fields = fields_of(ask.do, form | {"csrf": "x", "next": "/"})
    assert fields.keys() == form.keys()
    command_of(ask.do, fields)


def test_every_irregularity_of_every_document_is_in_plain_words() -> None:
    grouped = [name for names in GROUPS.values() for name in names]
    # A card recorded wrongly is looked for among the cards, and among the errors of earlier rounds.
    assert sorted(grouped) == sorted([*PLAIN, RECORDED])
    assert ASKS.keys() <= PLAIN.keys()
    for book in shelf():
        # Not things that happen: what a void round is, and that staff may bet for a player.
        assert book.irregularities.keys() - PLAIN.keys() == {"void", "bet_by_staff"}


def test_a_number_that_is_none_is_said_and_not_a_fault() -> None:
    with pytest.raises(Refused, match="box is a whole number"):
        fields_of("place_bet", {"box": "three"})
    with pytest.raises(Refused, match="no command"):
        fields_of("steal_chips", {})


def line(key: int, box: int, bet: str, outcome: str, window: str | None = None) -> dict[str, Any]:
    return {
        "key": key, "player": f"p{box}", "box": box, "bet": bet, "window": window, "stake": 100_00,
        "outcome": outcome, "pays": "1:1" if outcome == "won" else None, "profit": 95_00, "commission": 5_00,
        "remainder": "0", "returned": 195_00 if outcome == "won" else 100_00, "cites": ("4.1.1",),
    }  # fmt: skip


def test_chips_are_taken_then_given_back_then_paid_box_by_box() -> None:
    lines = [
        line(1, 2, "player", "won"), line(2, 1, "tie", "lost"), line(3, 1, "banker", "lost"),
        line(4, 2, "player", "returned", "four_cards"), line(5, 1, "player", "won"),
        line(6, 1, "player", "won", "third_card"), line(7, 1, "big_tiger", "won"),
    ]  # fmt: skip
    order = [
        (group.action, line["box"], line["bet"], line["window"] is not None)
        for group in paying_order(table_of(), lines)
        for line in group.lines
    ]
    assert order == [
        ("take", 1, "banker", False), ("take", 1, "tie", False), ("give back", 2, "player", True),
        ("pay", 1, "player", False), ("pay", 1, "big_tiger", False), ("pay", 1, "player", True),
        ("pay", 2, "player", False),
    ]  # fmt: skip


def test_cards_are_shown_as_they_lie_and_as_they_belong() -> None:
    deal = [{"by": "dealer", "do": "open_bets"}, {"by": "dealer", "do": "close_bets"}]
    deal += [{"by": "dealer", "do": "deal_card", "card": "QS"}]
    deal += [{"by": "dealer", "do": "deal_card", "card": "3D", "to": "player"}]
    moved = moved_cards(table_of(*deal))
    assert [(m.card, m.lies, m.place, m.belongs, m.its_place, m.moves) for m in moved] == [
        ("QS", "player", 1, "player", 1, False),
        ("3D", "player", 2, "banker", 1, True),
    ]
    assert pit_view.put_right_as(table_of(*deal)) == "swapped_hands"
    hidden = moved_cards(table_of(*deal, face_down=True))
    assert [m.card for m in hidden] == ["", ""]


def test_a_card_too_many_is_put_right_as_one() -> None:
    deal = [{"by": "dealer", "do": "open_bets"}, {"by": "dealer", "do": "close_bets"}]
    deal += [{"by": "dealer", "do": "deal_card", "card": card} for card in ("8S", "KD", "KH", "QC")]
    assert pit_view.put_right_as(table_of(*deal)) == ""
    deal += [{"by": "dealer", "do": "deal_card", "card": "2C", "to": "banker"}]
    assert pit_view.put_right_as(table_of(*deal)) == "excess_cards"


def test_a_void_round_shows_no_cards_to_whoever_corrects() -> None:
    player, banker = parse_cards("9S KD"), parse_cards("2H 3C")
    paid = PaidLine(1, "p1", 1, "tie", None, 50_00, "lost", None, 0, 0, "0", 0, ("4.1.2",))
    setup = SetUp(BOOK.id, "A")
    assert pit_view.earlier_round(Past(7, setup, player, banker, "", 0, (), void=True)).player == ()
    shown = pit_view.earlier_round(Past(8, setup, player, banker, "player", 9, (paid,), void=False))
    assert (shown.player, shown.players) == (("9S", "KD"), [("p1", -50_00)])


def test_a_bet_split_in_two_lines_is_one_change() -> None:
    """Where only a part of an Insurance could have been staked, the rest of it went back."""
    was = PaidLine(
        3, "p1", 1, "player", "four_cards", 80_00, "won", "3:2", 120_00, 0, "0", 200_00, ("4.1.14",)
    )
    parts = (
        structs.replace(was, stake=25_00, pays="10:1", profit=250_00, returned=275_00),
        structs.replace(was, stake=55_00, outcome="returned", pays=None, profit=0, returned=55_00),
    )
    (change,) = pit_view.line_changes([was], parts)
    assert (change.stake, change.by, len(change.after)) == (80_00, 130_00, 2)
    (change,) = pit_view.line_changes(parts, [was])
    assert (change.stake, change.by, len(change.before)) == (80_00, -130_00, 2)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_new_events_are_told_in_both_languages(language: Language) -> None:
    laid = (LaidCard("9H", "player", True), LaidCard("KD", "banker", False))
    paid = (["7S", "2D"], ["KD", "5C"])
    told: list[tuple[e.Event, str, str]] = [
        (e.CardExposed("9H", "5.8"), "9♥", "露出"),
        (e.CardsFound(laid, True, "5.9"), "Player 9♥", "闲 9♥"),
        (e.CardCorrected("player", 1, "9H", True, "mistyped", "5.20"), "Reason: mistyped.", "理由："),
        (e.InsuranceAnnounced("p1", 2, "player", "5.3"), "box N2", "N2 号位"),
        (e.InsuranceDeclined("p1", 2, "player", "5.3"), "will not insure Player", "不为"),
        (
            e.RoundCorrected(7, "card_recorded_wrongly", False, (*paid[0],), (*paid[1],), "player", 9,
                             (), (), ("5.20",), "misread", BOOK.id),
            "Player wins 9 to 5. Player 7♠ 2♦, Banker K♦ 5♣. Reason: misread.", "理由：misread。",
        ),
        (e.TableSet(SetUp(BOOK.id, "A"), "", "not printed"), "It is not in force: not printed.", "无效"),
    ]  # fmt: skip
    writer = EventWriter(language, BOOK, ("N1", "N2"))
    for event, english, chinese in told:
        seen = event_seen(RevealedEvent(Entry(1, NOW, "d", "dealer", event), "9H"), Viewer("a", "auditor"))
        assert seen is not None
        sentence = writer.sentence(seen)
        assert (english if language == "en" else chinese) in sentence
        assert "KD" not in sentence
        assert "None" not in sentence


@pytest.mark.parametrize("name", shipped_ids())
def test_a_set_up_goes_through_its_form_unchanged(name: str) -> None:
    book = rulebook(name)
    bet = next(bet.name for bet in book.bets.values() if bet.original is None)
    layout = next(iter(sorted(book.bets[bet].layouts)))
    limits = {"original": Limits(25_00, 5_000_00), "side": Limits(10_50), bet: Limits(5_00, 100_00)}
    boxes = tuple(f"N{number}" for number in range(book.layout(layout).most, 0, -1))
    setup = SetUp(
        name, layout, decks=8, limits=limits, differential=777_00, shoe="read", cut=14, box_names=boxes,
        private=True, house_role="pit_manager", test=True,
    )  # fmt: skip
    table = Table({name: book})
    table.set_to(setup)
    fields = set_up.form_fields(table)
    form = {key: "yes" if value is True else value for key, value in fields.items() if value is not False}
    for reading, _, offered in set_up.readings_of(table):
        form |= {f"reading_{reading}": choice.value for choice in offered if choice.chosen}
    assert setup_of(set_up.setup_of_form(table, form)) == setup
    with pytest.raises(Refused, match="has changed the set-up"):
        set_up.setup_of_form(table, form | {"seen": "something else"})


def test_a_single_bet_may_have_limits_of_its_own() -> None:
    table = Table({BOOK.id: BOOK})
    table.set_to(SetUp(BOOK.id, "C", limits={"original": Limits(25_00), "side": Limits(10_00)}))
    assert ("tie", "", "") in set_up.single_bets(table)
    fields = set_up.form_fields(table)
    form = {key: "yes" if value is True else value for key, value in fields.items() if value is not False}
    form |= {f"least_{name}": "" for name, _, _ in set_up.single_bets(table)}
    asked = form | {"least_tie": "50", "most_tie": "500", "most_player": "2000"}
    limits = setup_of(set_up.setup_of_form(table, asked)).limits
    assert (limits["tie"], limits["player"]) == (Limits(50_00, 500_00), Limits(25_00, 2_000_00))
    # They stand in the order of the document, whatever the form's order and the process's hash seed.
    assert list(limits) == ["original", "side", "player", "tie"]
    # What is emptied goes by its kind again.
    table.set_to(setup_of(set_up.setup_of_form(table, asked)))
    again = form | {"seen": set_up.mark(table.setup)}
    assert setup_of(set_up.setup_of_form(table, again)).limits.keys() == {"original", "side"}


def test_a_first_set_up_has_single_limits_and_readings() -> None:
    books = {book.id: book for book in shelf()}
    table = Table(books)
    chosen = books["tiger-buffalo-noncommission@4"]
    fields = set_up.form_fields(table)
    assert superseded_by(books.values(), books[fields["rulebook"]]) is None
    form = {key: "yes" if value is True else value for key, value in fields.items() if value is not False}
    form |= {"rulebook": chosen.id, "layout": "M", "least_tie": "50", "reading_limits_mode": "advisory"}
    # Drawn for another rulebook, its single limits and readings mean nothing for the chosen one.
    other = setup_of(set_up.setup_of_form(table, form | {"drawn_for": BOOK.id}))
    assert (set(other.limits), other.readings) == ({"original", "side"}, {})
    setup = setup_of(set_up.setup_of_form(table, form | {"drawn_for": chosen.id}))
    assert setup.limits["tie"] == Limits(50_00)
    assert setup.readings == {"limits_mode": "advisory"}


def test_every_choice_of_a_reading_is_a_sentence() -> None:
    for book in shelf():
        table = Table({book.id: book})
        for _, _, offered in set_up.readings_of(table, "en", book):
            assert all(choice.label[0].isupper() and " " in choice.label for choice in offered)


def test_a_hand_of_four_cards_is_shown_card_by_card() -> None:
    hands: dict[str, Any] = {"player": {"cards": ["QS", ""], "points": None}}
    hands["banker"] = {"cards": ["3D", "AC", "5D", "2C"], "points": 1}
    assert dealer_view.picture_of_hands({"hands": hands}, "en") is None
    laid = dealer_view.pictures_of_cards({"hands": hands}, "en")
    assert [(side, len(pictures)) for side, pictures in laid] == [("player", 2), ("banker", 4)]
    assert "spades" not in laid[0][1][1]


STATES: tuple[tuple[list[str], dict[str, Any]], ...] = (
    ([], {}), (["open_bets"], {}), (["open_bets", "close_bets"], {}),
    (["open_bets", "close_bets", "QS", "3D", "6H", "AC"], {}),
    (["open_bets", "close_bets", "QS", "3D", "6H", "AC"], {"face_down": True}),
    (["open_bets", "close_bets", "8S", "KD", "KH", "QC"], {}),
    (["open_bets", "close_bets", "8S", "KD", "KH", "QC", "settle"], {}),
    (["open_bets", "close_bets", "QS", "show_cut_card"], {}),
)  # fmt: skip


@pytest.mark.parametrize(("steps", "script"), STATES, ids=[" ".join(steps) or "new" for steps, _ in STATES])
@pytest.mark.parametrize("role", ["dealer", "pit_supervisor"])
def test_why_not_is_said_in_chinese_too(steps: list[str], script: dict[str, Any], role: str) -> None:
    deal = {"do": "deal_card"}
    made = [{"by": "dealer"} | ({"do": step} if len(step) > 2 else deal | {"card": step}) for step in steps]
    table = table_of(*made, shoe="read", **script)
    refused = [step.refused for step in lawful(table, lambda asked: Call("mei", role, NOW, asked))]
    assert any(refused)
    for each in refused:
        if each is not None:
            said = in_language("zh", each)
            english = re.findall(r"[a-z]{3,}", f"{said.sentence} {said.next_step}")
            assert not english, str(each)
            assert (said.code, said.citation) == (each.code, each.citation)


def test_one_reason_is_said_once() -> None:
    table = table_of({"by": "dealer", "do": "open_bets"}, shoe="read")
    steps = lawful(table, lambda asked: Call("mei", "dealer", NOW, asked))
    reasons = dealer_view.why_not(table, steps, "en").values()
    assert [reason.labels for reason in reasons] == [
        ("Bring a new shoe", "Place your Bets, please", "End the shoe"),
        ("Deal a card", "Pay and take"),
    ]


def test_nothing_in_a_csv_is_a_formula() -> None:
    made = Report(by_bet={"=cmd|' /C calc'!A0": Takings(bets=1)})
    assert "\r\nbet,'=cmd" in as_csv(made).decode()
