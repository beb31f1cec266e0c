"""One box and its Differential: how large it is, what still fits, what is refused, what is cut pro rata."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from lammer.academy.dice import Dice
from lammer.academy.items import Item, ShownStake, cited
from lammer.academy.training_table import TrainingTable
from lammer.game.money import Amount, show
from lammer.rulebook.model import Rulebook
from lammer.rulebook.phrase import Phrase
from lammer.rulebook.vocabulary import SIDES, Side
from lammer.rulebook.wording import HANDS
from lammer.table.limits import Stake, differential, room
from lammer.table.setup import Limits, SetUp

_MINIMUM: Final = 50_00
_MAXIMUMS: Final = (1_000_00, 2_000_00, 5_000_00)
_PLAYERS: Final = ("p1", "p2", "p3", "p4")


@dataclass(frozen=True, slots=True)
class Box:
    """What lies in a box, in the order it was put down, and the maximum it has to keep."""

    stakes: tuple[ShownStake, ...]
    maximum: int

    @property
    def counted(self) -> list[Stake]:
        return [
            Stake(number, stake.player, stake.side, stake.amount, stake.seated)
            for number, stake in enumerate(self.stakes, start=1)
        ]

    def on(self, side: Side) -> int:
        """All that lies on one side."""
        return sum(stake.amount for stake in self.stakes if stake.side == side)

    def in_words(self) -> Phrase:
        """What lies on both sides."""
        return Phrase(
            "{player} on Player, {banker} on Banker.",
            player=Amount(self.on("player")),
            banker=Amount(self.on("banker")),
        )


def has_box_rules(book: Rulebook) -> bool:
    """Whether the rulebook says what a Differential is and what becomes of a box beyond it."""
    rule = book.irregularities.get("excess_differential")
    originals = {bet.original for bet in book.bets.values()}
    return rule is not None and set(SIDES) <= originals


def box_item(book: Rulebook, dice: Dice, seed: int) -> Item:
    """One of the questions about a box; what is cut is asked only where dealers may let an excess lie."""
    make: list[Callable[[Rulebook, Dice, int], Item]] = [_differential, _room]
    steps = {step.does for step in book.irregularities["excess_differential"].steps}
    if may_only_advise(book) and "refuse_excess" in steps:
        make.append(_refused)
    if may_only_advise(book) and {"cut_pro_rata", "exempt_from_pro_rata"} <= steps:
        make += [_pro_rata, _pro_rata]
    return dice.pick(make)(book, dice, seed)


def _differential(book: Rulebook, dice: Dice, seed: int) -> Item:
    box = _box(dice, beyond=dice.one_in(2))
    found = differential(box.counted)
    return Item(
        "differential",
        "differential",
        book.id,
        seed,
        Phrase("What is the Differential of this box?"),
        "money",
        show(found),
        box.in_words(),
        cited(book.irregularities["excess_differential"].cite),
        stakes=box.stakes,
    )


def _room(book: Rulebook, dice: Dice, seed: int) -> Item:
    box, side = _box(dice, beyond=False), dice.pick(SIDES)
    found = room(box.on("player"), box.on("banker"), side, box.maximum)
    return Item(
        "differential",
        "room",
        book.id,
        seed,
        Phrase(
            "The maximum Differential is {maximum}: how much more may be bet on {hand} in this box?",
            maximum=Amount(box.maximum),
            hand=HANDS[side],
        ),
        "money",
        show(found),
        box.in_words(),
        cited(book.irregularities["excess_differential"].cite),
        stakes=box.stakes,
        facts={"maximum": show(box.maximum), "side": side},
    )


def _refused(book: Rulebook, dice: Dice, seed: int) -> Item:
    box = _box(dice, beyond=True, smallest=_MINIMUM)
    table = _laid(book, box)
    table.ask(table.setup.house_role, "refuse_excess")
    whose = dice.pick([stake for stake in box.stakes if stake.side == _heavier(box)])
    rule = book.irregularities["excess_differential"]
    left = _left(book, table, whose)
    return Item(
        "differential",
        "refused",
        book.id,
        seed,
        Phrase(
            "The bets are open, the maximum Differential is {maximum}, the minimum {minimum}. "
            "How much of the bet of {player} on {hand} is refused?",
            maximum=Amount(box.maximum),
            minimum=Amount(_MINIMUM),
            player=whose.player,
            hand=HANDS[whose.side],
        ),
        "money",
        show(whose.amount - left),
        Phrase(
            "{excess} too much lies on {hand}. Standing players give way first, the latest first.",
            excess=Amount(differential(box.counted) - box.maximum),
            hand=HANDS[whose.side],
        ),
        cited(rule.cite),
        stakes=box.stakes,
        facts=_facts(box, whose),
    )


def _pro_rata(book: Rulebook, dice: Dice, seed: int) -> Item:
    box = _box(dice, beyond=True)
    table = _laid(book, box)
    table.ask("dealer", "close_bets")
    whose = dice.pick([stake for stake in box.stakes if stake.side == _heavier(box)])
    rule = book.irregularities["excess_differential"]
    exempt = whose.amount < _MINIMUM
    lighter = min(box.on("player"), box.on("banker"))
    return Item(
        "differential",
        "pro_rata",
        book.id,
        seed,
        Phrase(
            "The bets closed like this; the maximum Differential is {maximum}, the minimum {minimum}. "
            "How much of the bet of {player} on {hand} plays?",
            maximum=Amount(box.maximum),
            minimum=Amount(_MINIMUM),
            player=whose.player,
            hand=HANDS[whose.side],
        ),
        "money",
        show(_left(book, table, whose)),
        Phrase("It was below the minimum when it was laid, so it is not cut.")
        if exempt
        else Phrase(
            "{allowed} of {heavier} may play on {hand}; "
            "each bet is cut in proportion, none below the minimum.",
            allowed=Amount(lighter + box.maximum),
            heavier=Amount(box.on(whose.side)),
            hand=HANDS[whose.side],
        ),
        cited(book.cite(rule.paragraph("exempt_from_pro_rata" if exempt else "cut_pro_rata")), rule.cite),
        stakes=box.stakes,
        facts=_facts(box, whose),
    )


def may_only_advise(book: Rulebook) -> bool:
    """Whether a table may choose to record bets beyond its limits instead of refusing them."""
    reading = book.readings.get("limits_mode")
    return reading is not None and "advisory" in (reading.choice, *reading.alternatives)


def _facts(box: Box, whose: ShownStake) -> dict[str, str]:
    return {
        "maximum": show(box.maximum),
        "minimum": show(_MINIMUM),
        "player": whose.player,
        "side": whose.side,
    }


def _heavier(box: Box) -> Side:
    return "player" if box.on("player") > box.on("banker") else "banker"


def _box(dice: Dice, *, beyond: bool, smallest: int = 10_00) -> Box:
    """Stakes of a seated player and of some who stand, beyond the maximum or within it."""
    maximum = dice.pick(_MAXIMUMS)
    while True:
        stakes = [ShownStake(_PLAYERS[0], True, dice.pick(SIDES), _amount(dice, maximum, smallest))]
        stakes += [
            ShownStake(player, False, dice.pick(SIDES), _amount(dice, maximum, smallest))
            for player in _PLAYERS[1 : dice.between(2, 4)]
        ]
        box = Box(tuple(stakes), maximum)
        if (differential(box.counted) > maximum) == beyond:
            return box


def _amount(dice: Dice, maximum: int, smallest: int) -> int:
    if dice.one_in(6):
        return dice.between(smallest // 5_00, 20) * 5_00
    return dice.between(2, maximum // 25_00) * 25_00


def _laid(book: Rulebook, box: Box) -> TrainingTable:
    """The box at a table that only advises, with the bets down and open."""
    setup = SetUp(
        book.id,
        layout_with_originals(book),
        decks=book.cards.most_decks,
        limits={"original": Limits(_MINIMUM), "side": Limits(_MINIMUM)},
        differential=box.maximum,
        shoe="read",
        readings={"limits_mode": "advisory"},
    )
    table = TrainingTable(book, setup)
    names = original_names(book)
    table.begin(
        [(stake.player, 1, names[stake.side], stake.amount) for stake in box.stakes],
        seats=[box.stakes[0].player],
    )
    return table


def original_names(book: Rulebook) -> dict[Side, str]:
    """The bets on Player and on Banker, by the hand they are on."""
    return {bet.original: bet.name for bet in book.bets.values() if bet.original is not None}


def layout_with_originals(book: Rulebook) -> str:
    """The first layout with the bets on Player and on Banker."""
    names = original_names(book).values()
    return min(letter for letter in book.layouts if all(letter in book.bets[name].layouts for name in names))


def _left(book: Rulebook, table: TrainingTable, whose: ShownStake) -> int:
    """What still lies there of somebody's bet."""
    this_round = table.table.require_round()
    name = original_names(book)[whose.side]
    return sum(bet.stake for bet in this_round.bets.values() if (bet.player, bet.bet) == (whose.player, name))
