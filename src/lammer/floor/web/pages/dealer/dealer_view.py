"""The dealer's screen as values: what comes next, what else may be done, the felt, and what is paid.

Everything of the round comes through `viewing`, with the dealer as the viewer: a card face down is no more on
this screen than on any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from typing import Any, Final

from lammer import draw
from lammer.floor.record.revealed import HIDDEN
from lammer.floor.tables.next_steps import Step, hand_of_next_card, in_the_way, lawful, next_of
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.openings import OpenedAt
from lammer.floor.views.viewing import Viewer
from lammer.floor.web.pages.dealer.paying import PayList
from lammer.floor.web.pages.felt.felt_pictures import felt_with_chips
from lammer.floor.web.pages.felt.house_chips import chips_in_words
from lammer.floor.web.pages.felt.own_bets import round_of_bets
from lammer.floor.web.pages.site.frame import Say, sides
from lammer.floor.web.pages.site.moments import milliseconds
from lammer.game.cards import Card
from lammer.game.drawing import FIRST_CARDS, third_card_decisions
from lammer.game.hands import Decision, Hand
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import SIDES, Side, opposite
from lammer.table.commands import Call
from lammer.table.insuring import OfferTo, offers_to
from lammer.table.ledger import player as account_of
from lammer.table.state import Table
from lammer.wording.catalogues import Language, say
from lammer.wording.figures import write_chips
from lammer.wording.pictures import picture_words
from lammer.wording.refusals import in_language
from lammer.wording.titles import title_of

LABELS: Final = {
    "prepare_shoe": "Bring a new shoe",
    "open_bets": "Place your Bets, please",
    "close_bets": "No more Bets",
    "deal_card": "Deal a card",
    "open_card": "Open a card",
    "settle": "Pay and take",
    "end_shoe": "End the shoe",
    "show_cut_card": "The cut card is here",
    "answer_squeeze": "Answer the squeeze",
    "close_withdrawal": "Withdrawal is over",
    "close_options": "Close the options",
    "resolve_interruption": "Resolve the interruption",
    "confirm_error": "Confirm the error: the players are asked",
    "reconstruct": "Put the cards right",
    "note_face_up": "Note the card dealt face up",
    "decline_insurance": "{player} does not insure {hand}",
    "choose_drawing": "{hand} stands",
    "begin_shuffle": "Shuffle with the players",
}
DRAWS: Final = "{hand} draws"
ALWAYS: Final = ("prepare_shoe", "open_bets", "close_bets", "deal_card", "settle", "end_shoe")
KEYS: Final = {
    "next": " ",
    "prepare_shoe": "p",
    "open_bets": "o",
    "close_bets": "c",
    "deal_card": "d",
    "open_card": "t",
    "settle": "s",
    "pay_list": "l",
    "end_shoe": "e",
    "show_cut_card": "u",
    "close_withdrawal": "v",
    "close_options": "q",
    "resolve_interruption": "r",
    "go_on": "g",
    "bets_back": "x",
    "consent": "y",
    "decline": "n",
    "bet": "b",
    "insure": "i",
    "slip": "z",
    "wrong": "w",
    "pit": "h",
}
"""The first keys; everybody may choose others, which their browser remembers."""

KEY_LABELS: Final = LABELS | {
    "next": "The next step",
    "go_on": "The player asked goes on",
    "bets_back": "The player asked has the bets back",
    "consent": "Consent to the squeeze",
    "decline": "Decline the squeeze",
    "bet": "Bet for a player",
    "insure": "Insure for a player",
    "slip": "That card was mistyped",
    "pay_list": "The last pay list",
    "wrong": "Something is wrong",
    "pit": "Call the pit",
}


OF_PLAYER: Final = account_of("")
"""What the accounts of players begin with."""
COMPLETED: Final = 60
"""Names a field for a player completes."""
LAST: Final = 18
"""Results shown beside the felt."""
NO_ERROR: Final = "It was none: the round goes on"
DEAL_TO: Final = "Deal to {hand}"
CLOSE_AND_DEAL: Final = "Close Insurance · Deal to {hand}"
OPEN: Final = "Open {hand} {place}"


@dataclass(frozen=True, slots=True)
class Button:
    """A step as a button: what it is called, what it sends, its key, and the id of why it may not be now.

    `rule` is the irregularity whose page it leads to, if any; one that asks for a card leads to its field.
    """

    step: Step
    id: str
    label: str
    key: str
    action: str
    next: bool
    why: str
    rule: str
    asks_card: bool

    @property
    def state(self) -> str:
        """Whether it comes next, may be taken, or may not: its class on the page."""
        return "is-next" if self.next else "may-not" if self.why else "may"


@dataclass(frozen=True, slots=True)
class OptionAsked:
    """A player who is asked whether to go on; `first` is true for whom the keys of the page answer."""

    player: str
    answer: str
    first: bool
    key: str


@dataclass(frozen=True, slots=True)
class WhyNot:
    """A reason, and the steps it keeps from being taken."""

    id: str
    labels: tuple[str, ...]
    refused: Refused


def call_by(viewer: Viewer, at: datetime) -> Any:
    """Puts a viewer's name and role around a command."""
    return lambda command: Call(viewer.name, viewer.role, at, command)


def now(view: DurableView, seen: Mapping[str, Any], call: Any, language: Language) -> dict[str, Any]:
    """What comes next and what else may be done, at a table as whoever deals has `seen` it."""
    table = view.table
    steps = [_step_in_language(language, step) for step in lawful(table, call)]
    following = next_of(table, steps)
    reasons = why_not(table, steps, language)
    to_open = next((step for step in steps if step.do == "open_card" and step.lawful), None)
    # At a face-down table a card carried over is dealt without being named.
    reads = table.require_setup().shoe == "read"
    names = reads and not (table.carried and table.require_setup().face_down)
    all_buttons = [
        _button(view, number, step, (following, to_open), reasons, names, language)
        for number, step in enumerate(steps)
    ]
    # While players are being asked nothing stands out but the asking: a slip of the hand must not end it.
    # What is always there keeps its place on the screen; what comes and goes stands behind it.
    buttons = sorted(all_buttons, key=lambda button: button.step.do not in ALWAYS)
    t, round_seen = partial(say, language), seen["round"] or {}
    options, blocking_step = round_seen.get("options"), in_the_way(table, steps)
    misplaced = table.round is not None and table.round.misplaced
    following_button = next(
        (button for button in buttons if button.next and button.step.do != "close_options"), None
    )
    in_trouble = round_seen.get("interrupted") or options is not None
    return {
        "phase_name": phase_now(t, round_seen) if round_seen else "",
        "phase_mark": "insurance" if round_seen.get("window") else round_seen.get("phase", ""),
        "winner": winner_line(t, round_seen, steps),
        "people": [
            (name, table.require_setup().box_name(box) if box else "")
            for name, box in islice(people_known(seen).items(), COMPLETED)
        ],
        "held_up": blocking_step is not None or misplaced or in_trouble,
        "steps": buttons,
        "reasons": list(reasons.values()),
        "next": following_button,
        "next_label": next_label(t, table, following_button),
        "card_comes_next": following_button is not None and following_button.step.do == "deal_card",
        "blocking_step": blocking_step,
        "waits_for_rule": blocking_step.fields["irregularity"]
        if blocking_step and blocking_step.do == "reconstruct"
        else "",
        "reads": reads,
        "virtual_shoe": table.require_setup().shoe == "virtual",
        "misplaced": misplaced,
        "options": options_asked(t, view, options),
        "announced": announcement_sentences(t, table, round_seen.get("announced", ())),
        "why": decisions(table),
        "carried": len(table.carried),
        "bets_for": round_of_bets(table),
        "last_card": last_card(table, round_seen),
    }


def phase_name(t: Say, phase: str) -> str:
    """Where a round stands, as those who work at the table call it."""
    return {
        "betting": t("Bets are open"),
        "dealing": t("Cards"),
        "settled": t("Settled"),
        "void": t("Void"),
        "concluded": t("Concluded"),
        "waiting": t("No round yet"),
        "not_set_up": t("Not set up"),
        "closed": t("Closed"),
    }[phase]


def next_label(t: Say, table: Table, button: Button | None) -> str:
    """What the big button says; the card that closes Insurance says so."""
    if button is None:
        return ""
    hand = hand_of_next_card(table) if button.step.do == "deal_card" else None
    if hand is None or table.round is None or table.round.window is None:
        return button.label
    return t(CLOSE_AND_DEAL, hand=t(hand.capitalize()))


def phase_now(t: Say, round_seen: Mapping[str, Any]) -> str:
    """The same for whoever deals: while Insurance may be taken, that is what the round waits for."""
    return t("Insurance") if round_seen["window"] else phase_name(t, round_seen["phase"])


def winner_line(t: Say, round_seen: Mapping[str, Any], steps: Iterable[Step]) -> tuple[str, str] | None:
    """Who wins, and how, before anything is paid and after: the side, and a sentence.

    None while a card is to come, or something stands in the way of paying.
    """
    pays = any(step.do == "settle" and step.lawful for step in steps)
    if not pays and round_seen.get("phase") != "settled":
        return None
    points = {side: round_seen["hands"][side]["points"] for side in SIDES}
    if None in points.values():
        return None
    if points["player"] == points["banker"]:
        return "tie", t("A tie on {points}.", points=points["player"])
    winner: Side = "player" if points["player"] > points["banker"] else "banker"
    count = len(round_seen["hands"][winner]["cards"])
    sentence = t(
        "{side} wins {own} over {other}, {cards}",
        side=t(winner.capitalize()),
        own=points[winner],
        other=points[opposite(winner)],
        cards=t("two cards") if count == FIRST_CARDS // 2 else t("three cards"),
    )
    return winner, sentence


@dataclass(frozen=True, slots=True)
class Timer:
    """How long betting has been open, or how long what is open stays so; `at` is when it began or ends.

    `at` is in milliseconds for the script that carries it on, `clock` what it says as the page is written.
    """

    at: int
    left: bool
    clock: str


def betting_timer(
    table: Table, opened: OpenedAt | None, until: tuple[datetime, float] | None, moment: datetime
) -> Timer | None:
    """The clock beside the phase: what is left where the pace of the table says so, else what has passed."""
    if until is not None:
        return Timer(milliseconds(until[0]), True, clock_face(until[0] - moment))
    if opened is None or table.round is None or table.round.phase != "betting":
        return None
    return Timer(milliseconds(opened.betting), False, clock_face(moment - opened.betting))


def clock_face(span: timedelta) -> str:
    """Minutes and seconds; nothing is less than none.

    >>> clock_face(timedelta(seconds=95)), clock_face(timedelta(seconds=-2))
    ('1:35', '0:00')
    """
    minutes, seconds = divmod(max(0, int(span.total_seconds())), 60)
    return f"{minutes}:{seconds:02}"


def people_known(seen: Mapping[str, Any]) -> dict[str, int]:
    """Everybody a table knows as it is `seen`, with the box they sit at: 0 for those who stand or have left.

    Whoever sat, bet or had chips here is known; who sits comes first.

    >>> seats, accounts = [{"player": "mei", "box": 3}], {"bank": "0.00", "player:anna": "5.00"}
    >>> people_known({"seats": seats, "accounts": accounts, "staff_bets": [], "round": None})
    {'mei': 3, 'anna': 0}
    """
    known = {seat["player"]: seat["box"] for seat in seen["seats"]}
    others = {name.removeprefix(OF_PLAYER) for name in seen["accounts"] if name.startswith(OF_PLAYER)}
    others |= {*seen["staff_bets"], *(bet["player"] for bet in (seen["round"] or {"bets": ()})["bets"])}
    return known | dict.fromkeys(sorted(others - known.keys()), 0)


def options_asked(t: Say, view: DurableView, options: Mapping[str, str] | None) -> list[OptionAsked] | None:
    """The players who are asked; None while nobody is."""
    if options is None:
        return None
    first = next((player for player, choice in options.items() if not choice), "")
    words = {"": "", "continue": t("goes on"), "return": t("has the bets back")}
    return [
        OptionAsked(player, words[choice], player == first, f"{view.id}.{view.number}.option.{player}")
        for player, choice in options.items()
    ]


def announcement_sentences(t: Say, table: Table, announcements: Iterable[Mapping[str, Any]]) -> list[str]:
    """Who said that they will insure: a sentence for each."""
    return [
        t(
            "{player} will insure {hand}, box {box}: the next card waits.",
            player=announcement["player"],
            hand=t(announcement["hand"].capitalize()),
            box=table.require_setup().box_name(announcement["box"]),
        )
        for announcement in announcements
    ]


def last_card(table: Table, round_seen: Mapping[str, Any]) -> dict[str, Any] | None:
    """The last card of the round at a shoe that is read: where it lies, and what is to be seen of it."""
    this_round = table.round
    if (
        this_round is None
        or this_round.phase not in ("dealing", "settled")
        or not this_round.cards
        or table.require_setup().shoe != "read"
    ):
        return None
    laid = this_round.cards[-1]
    card = round_seen["hands"][laid.hand]["cards"][laid.place - 1]
    return {"hand": laid.hand, "place": laid.place, "card": card}


def _step_in_language(language: Language, step: Step) -> Step:
    return replace(step, refused=in_language(language, step.refused)) if step.refused is not None else step


def why_not(table: Table, steps: Iterable[Step], language: Language) -> dict[str, WhyNot]:
    """Each reason once, by its words: at most moments one reason keeps several steps away."""
    reasons: dict[str, WhyNot] = {}
    for step in steps:
        if step.refused is None:
            continue
        known = reasons.get(str(step.refused)) or WhyNot(f"why-{len(reasons) + 1}", (), step.refused)
        reasons[str(step.refused)] = replace(known, labels=(*known.labels, label_of(table, step, language)))
    return reasons


def _button(
    view: DurableView,
    number: int,
    step: Step,
    wanted: tuple[Step | None, Step | None],
    reasons: Mapping[str, WhyNot],
    names: bool,
    language: Language,
) -> Button:
    following, first_to_open = wanted
    key = f"{view.id}.{view.number}.{step.do}.{number}"
    action = step.do if step.do in KEYS else ""
    if step.do == "open_card" and step is not first_to_open:
        action = ""
    if step.do == "answer_squeeze":
        action = "consent" if step.fields["consent"] else "decline"
    why = reasons[str(step.refused)].id if step.refused is not None else ""
    label = label_of(view.table, step, language)
    return Button(
        step,
        f"step-{step.do}-{number}",
        label,
        key,
        action,
        step is following,
        why,
        str(step.fields["irregularity"]) if step.do == "reconstruct" else "",
        step.do == "deal_card" and names and not why,
    )


def label_of(table: Table, step: Step, language: Language) -> str:
    """What a step is called; where a card goes is in it, unless that would tell what lies face down."""
    if step.do == "answer_squeeze":
        return say(language, KEY_LABELS["consent" if step.fields["consent"] else "decline"])
    if step.do == "confirm_error" and not step.fields["confirmed"]:
        return say(language, NO_ERROR)
    hand = str(step.fields.get("hand", ""))
    if step.do == "decline_insurance":
        hand_name = say(language, hand.capitalize())
        return say(language, LABELS[step.do], player=step.fields["player"], hand=hand_name)
    if step.do == "choose_drawing":
        hand_name = say(language, hand.capitalize())
        draws = say(language, DRAWS, hand=hand_name)
        return draws if step.fields["draws"] else say(language, LABELS[step.do], hand=hand_name)
    if step.do == "deal_card" and step.refused is None:
        hand = hand_of_next_card(table) or ""
    if not hand:
        return say(language, LABELS[step.do])
    text = DEAL_TO if step.do == "deal_card" else OPEN
    return say(language, text, hand=say(language, hand.capitalize()), place=step.fields.get("place", 0))


def decisions(table: Table) -> tuple[Decision, ...]:
    """What the Table of Play says of the cards that can be seen: which hand draws, and where that stands."""
    this_round = table.round
    if this_round is None or this_round.phase != "dealing" or this_round.misplaced:
        return ()
    if len(this_round.cards) < FIRST_CARDS or any(not laid.face_up for laid in this_round.cards):
        return ()
    every = third_card_decisions(table.book, this_round.values("player"), this_round.values("banker"))
    # What follows from a choice is not said before it is made.
    return every[: next((number for number, decision in enumerate(every, 1) if decision.open), len(every))]


def felt(
    table: Table, seen: Mapping[str, Any], pay_list: PayList | None, language: Language
) -> dict[str, Any]:
    """The cards, the felt with its chips, Insurance, and what is to be paid, at a table as it is `seen`."""
    named, t, round_seen = titles(table, language), partial(say, language), seen["round"] or {}
    hands, bets = round_seen.get("hands") or {}, round_seen.get("bets", [])
    seated = {seat["box"]: seat["player"] for seat in seen["seats"]}
    limited = named | {"original": t("Original Bets"), "side": t("Side bets")}
    return {
        "has_cards": any(hand["cards"] for hand in hands.values()),
        "hands": picture_of_hands(round_seen, language),
        "laid": pictures_of_cards(round_seen, language),
        "hand_rows": hand_rows(t, hands, no_cards=t("none"), no_points="–"),
        "limits": [
            (limited[name], limit_span(language, limits)) for name, limits in seen["set_up"]["limits"].items()
        ],
        "felt": felt_with_chips(table, bets, range(1, table.box_count + 1), language, seated),
        "title": title_of(language, table.book),
        "places": places_at_table(table, seated, by_bettor(bets, round_seen.get("insurance", []))),
        "last_results": [
            (result["winner"], sides(language)[result["winner"]].label[0])
            for result in seen["results"][-LAST:]
        ],
        "titles": named,
        "insurable": insurable(table),
        "offered_hand": offered_hand(table, round_seen),
        "pay_list": pay_list,
        "paid_titles": titles(pay_list.rules, language) if pay_list is not None else {},
        "chips_in_words": partial(chips_in_words, language),
    }


def hand_rows(
    t: Say, hands: Mapping[str, Any], *, no_cards: str = "", no_points: str = ""
) -> list[tuple[Side, str, object]]:
    """Each hand for those who hear the page: the side, its cards, its points."""
    rows: list[tuple[Side, str, object]] = []
    for side in SIDES if hands else ():
        cards, points = hands[side]["cards"], hands[side]["points"]
        heard = " ".join(card or t("face down") for card in cards) or no_cards
        rows.append((side, heard, no_points if points is None else points))
    return rows


def limit_span(language: Language, limits: Mapping[str, Any]) -> str:
    """Limits as they stand on the sign.

    >>> limit_span("en", {"minimum": 10_00, "maximum": 500_00})
    '10 – 500'
    """
    least = write_chips(language, limits["minimum"])
    return f"{least} – {write_chips(language, limits['maximum'])}" if limits["maximum"] else f"{least}+"


def by_bettor(
    bets: Iterable[Mapping[str, Any]], insured: Iterable[Mapping[str, Any]]
) -> list[tuple[int, str, list[Mapping[str, Any]], int]]:
    """What lies in each box, player by player: the box, the name, the bets and what they come to in cents.

    >>> tie, player = ({"box": 2, "player": "p1", "bet": bet, "stake": 50_00} for bet in ("tie", "player"))
    >>> [(box, name, len(bets), cents) for box, name, bets, cents in by_bettor([tie, player], [])]
    [(2, 'p1', 2, 10000)]
    """
    by_place: dict[tuple[int, str], list[Mapping[str, Any]]] = {}
    for bet in (*bets, *insured):
        by_place.setdefault((bet["box"], bet["player"]), []).append(bet)
    return [
        (*place, by_place[place], sum(bet["stake"] for bet in by_place[place])) for place in sorted(by_place)
    ]


@dataclass(frozen=True, slots=True)
class PlaceAtTable:
    """What lies in a box for one player; where nobody sits or bets the player is empty."""

    box: int
    player: str
    seated: bool
    bets: list[Mapping[str, Any]]
    together: int


def places_at_table(
    table: Table,
    seated: Mapping[int, str],
    bettors: Iterable[tuple[int, str, list[Mapping[str, Any]], int]],
) -> list[PlaceAtTable]:
    """Every box in its order, taken or free: first whoever sits there, then who stands behind them."""
    laid = {(box, player): (bets, together) for box, player, bets, together in bettors}
    places = []
    for box in range(1, table.box_count + 1):
        sitting = seated.get(box, "")
        standing = [player for at, player in laid if at == box and player != sitting]
        for player in [sitting, *standing] if sitting or not standing else standing:
            bets, together = laid.get((box, player), ([], 0))
            places.append(PlaceAtTable(box, player, bool(player) and player == sitting, bets, together))
    return places


def offered_hand(table: Table, round_seen: Mapping[str, Any]) -> str:
    """The hand Insurance is offered on now; empty where there is no offer."""
    hands = [offer.hand for _, offer in insurable(table)]
    hands += [offer["hand"] for offer in round_seen.get("offers", ())]
    return hands[0] if hands else ""


def titles(table: Table, language: Language) -> dict[str, str]:
    """The bets by their names on the felt; none at a table that is not set up."""
    if table.setup is None:
        return {}
    return {name: title_of(language, bet) for name, bet in table.book.bets.items()}


def picture_of_hands(round_seen: Mapping[str, Any], language: Language) -> draw.Svg | None:
    """Both hands as a picture, made only of what is to be seen; None while one has a card too many."""
    hands = round_seen.get("hands")
    if hands is None or any(len(hands[side]["cards"]) > 3 for side in SIDES):
        return None
    hidden = {
        (side, index) for side in SIDES for index, card in enumerate(hands[side]["cards"]) if card == HIDDEN
    }
    laid = {side: tuple(Card(card or "AS") for card in hands[side]["cards"]) for side in SIDES}
    player, banker = (Hand(laid[side], hands[side]["points"] or 0) for side in SIDES)
    return draw.hands(player, banker, hidden=hidden, words=picture_words(language))


def pictures_of_cards(round_seen: Mapping[str, Any], language: Language) -> list[tuple[Side, list[draw.Svg]]]:
    """Every card of both hands as a picture of its own, however many there are."""
    hands = round_seen.get("hands") or {side: {"cards": []} for side in SIDES}
    return [(side, [one_card(card, language) for card in hands[side]["cards"]]) for side in SIDES]


def one_card(card: str, language: Language) -> draw.Svg:
    """A single card, or the back of one that is not to be seen.

    >>> "9 of hearts" in one_card("9H", "en"), "hearts" in one_card("", "en")
    (True, False)
    """
    return draw.card(Card(card or "AS"), face_down=not card, words=picture_words(language))


def insurable(table: Table) -> list[tuple[str, OfferTo]]:
    """Who may take which Insurance now, and how much more of it."""
    this_round = table.round
    if this_round is None or this_round.phase != "dealing" or this_round.misplaced:
        return []
    try:
        return [(player, offer) for player in this_round.players() for offer in offers_to(table, player)]
    except Refused:
        return []
