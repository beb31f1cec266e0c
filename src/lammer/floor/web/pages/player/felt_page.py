"""A table as a player's page shows it: the round, the cards, their box with its bets, what they are asked.

Made of what `viewing` lets this reader see; of the table itself only what hangs on the wall is read besides:
rulebook, layout, limits, who may squeeze. So nothing that lies face down can come onto a page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, Literal

from lammer import draw
from lammer.floor.views.durable_view import DurableView
from lammer.floor.views.viewing import Viewer, table_seen
from lammer.floor.web.pages.dealer.dealer_view import one_card
from lammer.floor.web.pages.felt.lammers import offered_lammers, why_no_insurance
from lammer.floor.web.pages.felt.notices import notice_text
from lammer.floor.web.pages.felt.own_bets import last_stakes, round_of_bets
from lammer.floor.web.pages.felt.payouts import Result, result
from lammer.floor.web.pages.felt.paytable import describe_bets
from lammer.floor.web.pages.felt.receipts import receipt
from lammer.floor.web.pages.rules.book_names import book_name
from lammer.floor.web.pages.site.frame import Choice, Say, SideName, sides
from lammer.game.chips import WORTHS, chips_for
from lammer.rulebook.betting import Bet
from lammer.rulebook.conditions import Tied
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import SIDES, Side
from lammer.table import commands as c, events as e
from lammer.table.play import decide
from lammer.table.state import Table
from lammer.wording.catalogues import Language, say
from lammer.wording.figures import write_chips, write_money
from lammer.wording.titles import title_of

SqueezeRequest = Literal["card", "squeeze_banker_third_first", "expose_banker_third_first"]

AT_NO_TIME: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""When something is only tried that asks for no time."""
MOST_DISCS: Final = 5
KEYED: Final = ("player", "banker", "tie")
"""Bets with a key of their own, its first letter."""
RACK: Final = 6
_INSURES: Final = ("insurance", "dealing")
"""Missed Insurance is offered again outside a window."""


@dataclass(frozen=True, slots=True)
class Area:
    """A bet of the box as it lies on the felt: what it pays, what the reader has on it, and others."""

    name: str
    title: str
    odds: str
    kind: str
    letter: str
    stake: int
    others: int
    outcome: str
    limits: str

    @property
    def letter_alone(self) -> bool:
        return self.title == self.letter

    @property
    def key(self) -> str:
        """The key that bets on it: B, P and T for the bets everybody knows."""
        return self.name[0].upper() if self.name in KEYED else ""

    @property
    def discs(self) -> tuple[int, ...]:
        return discs(self.stake)


@dataclass(frozen=True, slots=True)
class LaidCard:
    """A card on the table: its picture, and where it lies; `opens` if the reader may turn it over."""

    picture: draw.Svg
    hand: Side
    place: int
    down: bool
    opens: bool

    @property
    def third(self) -> bool:
        return self.place == 3


def discs(cents: int) -> tuple[int, ...]:
    """The chips a stake is shown with, the dearest first.

    >>> discs(625_00), discs(7)
    ((500, 100, 25), (1,))
    """
    chips = [worth for worth, count in chips_for(cents)[0] for _ in range(min(count, MOST_DISCS))]
    return tuple(chips[:MOST_DISCS] or (1,))


@dataclass(frozen=True, slots=True)
class SharedShuffle:
    """A shuffle players may add to: what the house is bound to, and what the reader and others added."""

    shoe: int
    commitment: str
    added: str
    others: int
    beacon: int = 0
    """The round of the public beacon that comes last; 0 where none does."""


def shared_shuffle(table: Table, reader: str) -> SharedShuffle | None:
    """The shuffle that was begun, as somebody seated sees it; None where there is none."""
    shuffle = table.shuffle
    if shuffle is None or reader not in table.seats:
        return None
    own = shuffle.parts.get(reader)
    others = len(shuffle.parts) - (own is not None)
    beacon = 0 if shuffle.beacon is None else shuffle.beacon.round
    return SharedShuffle(shuffle.shoe, shuffle.commitment, own.entropy if own else "", others, beacon)


def rack(table: Table) -> tuple[int, ...]:
    """The chips to choose from: from the least a bet may be up to the most."""
    limits = [table.require_setup().limit(table.book, bet.name) for bet in table.book.offered(table.layout)]
    least = min(limit.minimum for limit in limits) // 100
    most = max((limit.maximum or table.require_setup().differential) for limit in limits) // 100
    fit = [worth for worth in WORTHS if least <= worth <= most]
    if not fit or fit[0] != least:
        fit = [max(1, least), *fit]
    return tuple(fit[:RACK])


def limits_of_bet(table: Table, bet: str, language: Language) -> str:
    """The limits of a bet as they stand on the sign."""
    limits = table.require_setup().limit(table.book, bet)
    least = write_chips(language, limits.minimum)
    return f"{least}–{write_chips(language, limits.maximum)}" if limits.maximum else least


def areas(
    table: Table, round_seen: dict[str, Any] | None, box: int, reader: str, language: Language
) -> dict[str, list[Area]]:
    """The bets of a box: the side bets, and below them Player, the ties, Banker."""
    lying: Counter[tuple[str, bool]] = Counter()
    outcomes: dict[str, str] = {}
    for bet in round_seen["bets"] if round_seen else ():
        if bet["box"] == box:
            lying[bet["bet"], bet["player"] == reader] += bet["stake"]
    for line in round_seen["lines"] if round_seen and round_seen["over"] else ():
        if line["box"] == box and line["window"] is None and line["player"] == reader:
            outcomes[line["bet"]] = line["outcome"]
    rows: dict[str, list[Area]] = {"sides": [], "mains": []}
    known = sides(language)
    for bet in _in_order(table.book.offered(table.layout)):
        kind = bet.original or ("tie" if isinstance(bet.wins, Tied) else "side")
        rows["sides" if kind == "side" else "mains"].append(
            Area(
                bet.name,
                title_of(language, bet),
                " / ".join(map(str, bet.odds)),
                kind,
                known[kind].letter if kind in known else "",
                lying[bet.name, True],
                lying[bet.name, False],
                outcomes.get(bet.name, ""),
                limits_of_bet(table, bet.name, language),
            )
        )
    return rows


def _in_order(offered: tuple[Bet, ...]) -> list[Bet]:
    return sorted(offered, key=lambda bet: {"player": 0, "banker": 2}.get(bet.original or "", 1))


@dataclass(frozen=True, slots=True)
class HandView:
    """A hand on the table: its cards, the total where it can be seen, and whether it has won."""

    side: SideName
    cards: list[LaidCard]
    points: int | None
    won: bool


def hands(
    table: Table, round_seen: dict[str, Any] | None, reader: str, language: Language, winner: str
) -> list[HandView]:
    """Both hands: each card as a picture, the total where it can be seen."""
    squeezed = squeezable(table, reader)
    both_hands: list[HandView] = []
    for side in SIDES:
        cards = round_seen["hands"][side]["cards"] if round_seen else []
        laid_cards = []
        for place, card in enumerate(cards, start=1):
            # A card face down has no name here; the picture of its back is the same for every card.
            opens = not card and (side, place) in squeezed
            laid_cards.append(LaidCard(one_card(card, language), side, place, not card, opens))
        points = round_seen["hands"][side]["points"] if round_seen and cards else None
        both_hands.append(HandView(sides(language)[side], laid_cards, points, side == winner))
    return both_hands


def squeezable(table: Table, reader: str) -> set[tuple[Side, int]]:
    """The places of the cards the reader may turn over: those dealt after the squeeze was asked for."""
    this_round = table.round
    if this_round is None or this_round.phase != "dealing" or this_round.squeezer != reader:
        return set()
    return {
        (laid.hand, laid.place) for laid in this_round.cards[this_round.squeeze_from :] if not laid.face_up
    }


def _may_ask(table: Table, reader: str, what: SqueezeRequest) -> bool:
    """Whether the table would take this request from the reader now."""
    try:
        decide(table, c.Call(reader, "player", AT_NO_TIME, c.RequestSqueeze(what, reader)))
    except Refused:
        return False
    return True


def squeeze(table: Table, reader: str) -> str:
    """How the reader stands to the squeeze: may ask, asked, has it, or nothing of that."""
    this_round = table.round
    if this_round is None or this_round.phase != "dealing":
        return ""
    if this_round.squeezer == reader:
        return "has" if squeezable(table, reader) else ""
    if this_round.squeeze is not None:
        return "asked" if this_round.squeeze[0] == reader else ""
    return "may" if _may_ask(table, reader, "card") else ""


def hand_to_choose(table: Table, name: str) -> tuple[Side, str] | None:
    """The hand this player may now say draws or stands, with the paragraph; None where there is none."""
    this_round = table.round
    if this_round is None or not table.books[this_round.setup.rulebook].table_of_play.choices:
        return None
    for hand in SIDES:
        try:
            (chosen,) = decide(table, c.Call(name, "player", datetime.now(UTC), c.ChooseDrawing(hand, True)))
        except Refused:
            continue
        assert isinstance(chosen, e.DrawingChosen)
        return hand, chosen.cite
    return None


def waivers(table: Table, reader: str) -> tuple[str, ...]:
    """What the reader may ask besides: the Banker's third card first, before it is dealt."""
    this_round = table.round
    if this_round is None or this_round.squeeze is not None or this_round.banker_third_first:
        return ()
    asked: tuple[SqueezeRequest, ...] = ("squeeze_banker_third_first", "expose_banker_third_first")
    return tuple(what for what in asked if _may_ask(table, reader, what))


def last_result(table: Table, reader: Viewer, language: Language) -> Result | None:
    """What the last finished round came to for the reader: the one on the table if it is over."""
    this_round = table.round
    if this_round is not None and this_round.phase == "settled":
        lines = [line for line in this_round.lines if line.player == reader.name]
        cards = this_round.values("player"), this_round.values("banker")
        return result(language, table.book, this_round.number, cards, lines)
    if this_round is not None and this_round.phase in ("betting", "dealing"):
        past = table.past.get(this_round.number - 1)
        if past is not None and not past.void:
            lines = [line for line in past.lines if line.player == reader.name]
            return result(language, table.book, past.number, (past.player, past.banker), lines)
    return None


def _cents(dollars: str | None) -> int:
    """An amount of a view in cents; nothing where the reader has none."""
    return int((dollars or "0").replace(".", ""))


def _amount(language: Language, dollars: str | None) -> str | None:
    """An amount of a view as this reader's language writes it."""
    return None if dollars is None else write_money(language, _cents(dollars))


def phase_of(round_seen: dict[str, Any] | None) -> str:
    """Where the round stands, as one word for the status line."""
    if round_seen is None:
        return "waiting"
    if not round_seen["over"]:
        for name, holds in (
            ("interrupted", round_seen["interrupted"]),
            ("reported", round_seen["reported"] is not None),
            ("options", round_seen["options"] is not None),
            ("withdrawal", round_seen["withdrawal"]),
            ("insurance", round_seen["window"] is not None),
        ):
            if holds:
                return name
    return str(round_seen["phase"])


def phase_sentence(t: Say, phase: str) -> str:
    """Where the round stands, as the status line says it."""
    return {
        "waiting": t("The next round is about to begin."),
        "betting": t("Place your bets, please."),
        "dealing": t("No more bets."),
        "insurance": t("Insurance is open."),
        "interrupted": t("The round is interrupted."),
        "reported": t("A supervisor looks at what happened."),
        "options": t("Something went wrong: players are asked."),
        "withdrawal": t("Bets may be withdrawn."),
        "settled": t("The round is settled."),
        "void": t("The round is void: every bet went back."),
        "concluded": t("The round ended without play."),
    }[phase]


def announcement(t: Say, phase: str, result: Result | None) -> str:
    """What is said aloud when the round goes on; with what it came to once that is known."""
    sentences = [phase_sentence(t, phase)]
    if result is not None:
        sentences.append(result.headline)
        if result.lines:
            sentences.append(t("Together {gain}.", gain=result.gain))
    return " ".join(sentences)


def hint(
    t: Say,
    box: int | None,
    phase: str,
    has_bets: bool,
    receipt_lies: bool,
    insures: bool = False,
    chips: str = "",
    brought: str = "",
) -> str:
    """What helps somebody new just now.

    `insures`: they are offered Insurance. `chips` are what they have here, where chips are counted; `brought`
    is what came from their purse with the first bet they ever made here.
    """
    if box is None and chips:
        return t(
            "Your chips here, {amount}, stay yours: “Take away” puts them into your purse.", amount=chips
        )
    if box is None:
        return t("New here? Sit down at a free box under “Choose a box”.")
    if receipt_lies:
        return t("The receipt tells what each bet won or lost, the arithmetic, and the paragraph behind it.")
    betting = phase == "betting"
    if phase == "insurance":
        return (
            t("Insurance pays if the hand you insure loses. Need time? Press “I will insure: wait for me”.")
            if insures
            else t("Insurance pays if the insured hand loses. You are not asked now; then the cards go on.")
        )
    if has_bets and betting and brought:
        return t(
            "{amount} came from your purse with your bet. The rest stays here until you take it away.",
            amount=brought,
        )
    if has_bets:
        return (
            t("Your chips are down. The cards come when the betting closes; until then you may add or undo.")
            if betting
            else t("The hand nearer to 9 wins. Tens and pictures count 0.")
        )
    return (
        t("Choose a chip, then press a bet of your box: Banker and Player are the plain ones.")
        if betting
        else t("Wait for “Place your bets”, then choose a chip and a bet.")
    )


def option_sentence(t: Say, choice: str) -> str:
    """What somebody chose after a dealing error; nothing while they have not."""
    if not choice:
        return ""
    return (
        t("You chose to go on. The round continues when everybody has answered.")
        if choice == "continue"
        else t("You chose to take your bets back. They come back when everybody has answered.")
    )


def waiver_label(t: Say, what: str) -> str:
    """What may be asked besides the squeeze, as its button says it."""
    return {
        "squeeze_banker_third_first": t("Squeeze the Banker's third card first"),
        "expose_banker_third_first": t("Have the Banker's third card opened first"),
    }[what]


@dataclass(frozen=True, slots=True)
class Box:
    """A box of the table as somebody looking for a place sees it; `player` is empty to other players."""

    number: int
    name: str
    taken: bool
    player: str
    own: bool


def boxes_of(table: Table, seats: Mapping[int, str], seat: int | None) -> tuple[Box, ...]:
    """The boxes of a table with whoever sits there; `seat` is the reader's own."""
    box_name = table.require_setup().box_name
    return tuple(
        Box(number, box_name(number), number in seats, seats.get(number, ""), number == seat)
        for number in range(1, table.box_count + 1)
    )


def _brought(table: Table, player: str, seen: dict[str, Any], language: Language) -> str:
    """What came from the purse of somebody who plays their first round here; empty in any other round."""
    if last_stakes(table, player):
        return ""
    cents = _cents(seen["balance"]) + _cents(seen["on_felt"]) - _cents(seen["won"])
    return write_money(language, cents) if cents > 0 else ""


def now(
    view: DurableView, reader: Viewer, language: Language, box: int | None, purse: int | None, counted: bool
) -> dict[str, Any]:
    """Everything the live part of a player's page shows; `purse` in cents, where chips are `counted`."""
    table = view.table
    seen = table_seen(table, reader, purse=purse)
    round_seen = seen["round"]
    seats = {seat["box"]: seat["player"] for seat in seen["seats"]}
    plays = reader.role == "player"
    seat = table.seats.get(reader.name) if plays else None
    latest_result = last_result(table, reader, language)
    phase, t = phase_of(round_seen), partial(say, language)
    over = bool(round_seen and round_seen["over"])
    final_result = latest_result if over else None
    mine = [bet for bet in round_seen["bets"] if bet["player"] == reader.name] if round_seen else []
    # Somebody sits there to stand behind, or the reader's chips lie there; an empty box is there to sit at.
    played = box is not None and (box in seats or any(bet["box"] == box for bet in mine))
    box = box if plays and played else seat
    owned = _cents(seen.get("balance")) + purse if purse is not None else None
    lammers = (
        offered_lammers(table, reader.name, round_seen, language, rack(table), owned)
        if round_seen and phase in _INSURES
        else ()
    )
    no_insurance = (
        why_no_insurance(table, reader.name, language)
        if plays and phase == "insurance" and not lammers
        else None
    )
    has_chips = not seen.get("balance", "0.00").startswith(("0.00", "-"))
    choice = (round_seen["options"] or {}).get(reader.name) if round_seen and phase == "options" else None
    return {
        "address": f"/tables/{view.id}",
        "plays": plays,
        "seat": seat,
        "box": box,
        "boxes": boxes_of(table, seats, seat),
        "box_name": table.require_setup().box_name(box) if box is not None else "",
        "at_own_seat": seat == box,
        "somebody_sits": box in seats,
        "round": round_seen["number"] if round_seen else 0,
        "bets_for": round_of_bets(table),
        "phase": phase,
        "phase_sentence": phase_sentence(t, phase),
        "announcement": announcement(t, phase, final_result),
        "betting": phase == "betting",
        "interrupted": phase == "interrupted",
        "may_withdraw": phase == "withdrawal" and bool(mine),
        "balance": _amount(language, seen.get("balance")),
        "staff_bets": plays and reader.name in seen["staff_bets"],
        "purse": _amount(language, seen.get("purse")),
        "counted": counted,
        "chips": seen["balance"] if has_chips else None,
        "notice": notice_text(table, language),
        "areas": areas(table, round_seen, box, reader.name, language) if box is not None else None,
        "on_felt": write_chips(language, _cents(seen.get("on_felt"))),
        "won_cents": _cents(seen.get("won")),
        "hands": hands(table, round_seen, reader.name, language, final_result.winner if final_result else ""),
        "insured": (
            [bet for bet in round_seen["insurance"] if bet["player"] == reader.name]
            if round_seen and not over
            else []
        ),
        "lammers": lammers,
        "no_insurance": no_insurance,
        "hides_chances": table.book.insurance is not None and not table.require_setup().exact_chances,
        "has_options": choice is not None,
        "chooses": hand_to_choose(table, reader.name) if plays else None,
        "option_sentence": option_sentence(t, choice or ""),
        "put_right": bool(table.round and table.round.put_right),
        "squeeze": squeeze(table, reader.name) if plays else "",
        "waivers": [
            Choice(what, waiver_label(t, what)) for what in (waivers(table, reader.name) if plays else ())
        ],
        "shuffle": shared_shuffle(table, reader.name),
        "result": latest_result,
        "final_result": final_result,
        "gain_cents": sum(line.net for line in final_result.lines) if final_result else 0,
        "receipt": receipt(language, table.book, latest_result),
        "leaving": reader.name in table.walked,
        "hint": (
            hint(
                t,
                box,
                phase,
                bool(mine),
                bool(final_result and final_result.lines),
                bool(lammers),
                (_amount(language, seen["balance"]) or "") if counted and has_chips else "",
                _brought(table, reader.name, seen, language) if counted else "",
            )
            if plays
            else ""
        ),
        "without_result": phase in ("void", "concluded"),
        "without_result_cite": table.paragraph("void" if phase == "void" else "cut_card_first"),
        "cite": table.paragraph,
        "book": table.book.id,
        "book_name": book_name(language, table.book),
        "bets": describe_bets(table.book, table.layout, language),
    }
