"""Cases: something goes wrong at a table, one way for each irregularity a document provides for.

Each case is played at a real table up to the step that decides it. That step is not taken: what it would do,
and from which role on it may be taken, is asked of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from lammer.academy import case_answers as answers
from lammer.academy.box_items import layout_with_originals, may_only_advise, original_names
from lammer.academy.case_answers import Answers
from lammer.academy.dice import Dice
from lammer.academy.rounds import MOST_CARDS, deal_cards, finished_where, shoe_order
from lammer.academy.training_table import PLAYERS, TrainingTable
from lammer.game.bets import judge
from lammer.game.cards import Card, write_card
from lammer.game.drawing import FIRST_CARDS, next_hand
from lammer.game.hands import FinishedRound
from lammer.game.insurance import offers
from lammer.game.money import Amount
from lammer.game.shoe import deck_of
from lammer.rulebook.model import Rulebook
from lammer.rulebook.phrase import Phrase
from lammer.rulebook.vocabulary import Side, opposite
from lammer.rulebook.wording import HANDS
from lammer.table.setup import Limits, SetUp

_MINIMUM: Final = 10_00
_DIFFERENTIAL: Final = 10_000_00
_STAKES: Final = (50_00, 100_00, 200_00, 250_00, 500_00)


@dataclass(frozen=True, slots=True)
class Case:
    """What went wrong, at which table, and the step that decides it: which command, with what, by whom.

    `by` names a player who asks; empty where staff decide, of whichever role it takes. Where nobody decides
    anything, because the rules already have, it is not `decided`.
    """

    irregularity: str
    table: TrainingTable
    happened: Phrase
    answers: Answers
    do: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    by: str = ""
    decided: bool = True


def can_play_cases(book: Rulebook) -> bool:
    """Whether a table can be set up for cases: bets on both hands on one layout, and irregularities."""
    names = original_names(book)
    on_both = [
        letter for letter in book.layouts if all(letter in book.bets[bet].layouts for bet in names.values())
    ]
    return len(names) == 2 and bool(on_both) and any(name in book.irregularities for name in CASES)


def _table(book: Rulebook, dice: Dice, **changes: Any) -> TrainingTable:
    """A table with bets down on both hands, closed."""
    table = _open_table(book, dice, **changes)
    table.ask("dealer", "close_bets")
    return table


def _open_table(book: Rulebook, dice: Dice, **changes: Any) -> TrainingTable:
    setup = SetUp(
        book.id,
        layout_with_originals(book),
        limits={"original": Limits(_MINIMUM), "side": Limits(_MINIMUM)},
        differential=_DIFFERENTIAL,
        shoe="read",
        **{"decks": book.cards.most_decks, **changes},
    )
    table = TrainingTable(book, setup)
    table.begin(_bets(book, dice))
    return table


def _bets(book: Rulebook, dice: Dice) -> list[tuple[str, int, str, int]]:
    names = original_names(book)
    return [
        (PLAYERS[0], 1, names["player"], dice.pick(_STAKES)),
        (PLAYERS[1], 2, names["banker"], dice.pick(_STAKES)),
    ]


def _some_cards(book: Rulebook, dice: Dice, table: TrainingTable, least: int, most: int) -> tuple[Card, ...]:
    """Deal some cards of a round that needs as many; those that would have come next."""
    cards = shoe_order(book, deal_cards(book, dice))
    while len(cards) < most:
        cards = shoe_order(book, deal_cards(book, dice))
    count = dice.between(least, most)
    table.deal(cards[:count])
    return cards[count:]


def _decided_round(book: Rulebook, dice: Dice) -> tuple[Card, ...] | None:
    """The cards of a round in which no Original Bet goes back, as on a Tie; None where none is found."""
    originals = [book.bets[name] for name in original_names(book).values()]

    def decides(played: FinishedRound) -> bool:
        return all(judge(book, bet, played).outcome != "returned" for bet in originals)

    cards, played = finished_where(book, dice, decides)
    return cards if decides(played) else None


def _interruption(book: Rulebook, dice: Dice) -> Case:
    table = _table(book, dice)
    _some_cards(book, dice, table, 0, FIRST_CARDS)
    table.ask("dealer", "interrupt", reason="power failure")
    happened = Phrase("The power fails at this moment.")
    return Case("technical_interruption", table, happened, answers.INTERRUPTION, "resolve_interruption")


def _void_cause(cause: str, happened: Phrase) -> Callable[[Rulebook, Dice], Case]:
    def case(book: Rulebook, dice: Dice) -> Case:
        table = _table(book, dice)
        _some_cards(book, dice, table, 0, FIRST_CARDS)
        return Case(cause, table, happened, answers.ERROR, "void_round", {"cause": cause})

    return case


def _late_bet(book: Rulebook, dice: Dice) -> Case:
    table = _table(book, dice)
    _some_cards(book, dice, table, 0, 2)
    bet = original_names(book)["player"]
    where = {"player": PLAYERS[0], "box": 1, "bet": bet}
    if dice.one_in(2):
        happened = Phrase("Bets are closed. {player} wants to take the bet back.", player=PLAYERS[0])
        return Case("late_bet", table, happened, answers.REQUEST, "withdraw_bet", where, PLAYERS[0])
    stake = dice.pick(_STAKES)
    happened = Phrase(
        "Bets are closed. {player} wants to add {amount}.", player=PLAYERS[0], amount=Amount(stake)
    )
    fields = {**where, "stake": stake}
    return Case("late_bet", table, happened, answers.REQUEST, "place_bet", fields, PLAYERS[0])


def _bet_by_staff(book: Rulebook, dice: Dice) -> Case:
    table, stake = _open_table(book, dice), dice.pick(_STAKES)
    fields = {"player": PLAYERS[0], "box": 1, "bet": original_names(book)["banker"], "stake": stake}
    if dice.one_in(2):
        happened = Phrase(
            "Bets are open. {player} asks the dealer to bet {amount} on Banker for them.",
            player=PLAYERS[0],
            amount=Amount(stake),
        )
        return Case("bet_by_staff", table, happened, answers.REQUEST, "place_bet", fields, "dealer")
    happened = Phrase(
        "Bets are open. {other} wants to bet {amount} on Banker for {player}.",
        other=PLAYERS[1],
        player=PLAYERS[0],
        amount=Amount(stake),
    )
    return Case("bet_by_staff", table, happened, answers.REQUEST, "place_bet", fields, PLAYERS[1])


def _below_minimum(book: Rulebook, dice: Dice) -> Case | None:
    stake = dice.between(1, 9) * 1_00
    fields = {"player": PLAYERS[0], "box": 1, "bet": original_names(book)["banker"], "stake": stake}
    if may_only_advise(book) and dice.one_in(2):
        cards = _decided_round(book, dice)
        if cards is None:
            return None
        table = _open_table(book, dice, readings={"limits_mode": "advisory"})
        table.ask(PLAYERS[0], "place_bet", **fields)
        table.ask("dealer", "close_bets")
        table.deal(cards)
        happened = Phrase(
            "{player} had bet {amount} on Banker below the minimum of {minimum}; "
            "nobody saw it until the bets were closed.",
            player=PLAYERS[0],
            amount=Amount(stake),
            minimum=Amount(_MINIMUM),
        )
        return Case("below_minimum", table, happened, answers.BET_OF_SOMEBODY, "settle", decided=False)
    table = _open_table(book, dice)
    happened = Phrase(
        "Bets are open. {player} lays {amount} on Banker; the minimum is {minimum}.",
        player=PLAYERS[0],
        amount=Amount(stake),
        minimum=Amount(_MINIMUM),
    )
    return Case("below_minimum", table, happened, answers.REQUEST, "place_bet", fields, PLAYERS[0])


def _exposed_card(book: Rulebook, dice: Dice) -> Case:
    table = _table(book, dice)
    rest = _some_cards(book, dice, table, 0, FIRST_CARDS)
    card = rest[0] if rest else dice.pick(deck_of(book))
    happened = Phrase("{card} comes out of the shoe and everybody sees it.", card=write_card(card))
    return Case("excess_cards", table, happened, answers.ERROR, "expose_card", {"card": card})


def _excess_card(book: Rulebook, dice: Dice) -> Case:
    table, side = _table(book, dice), dice.pick(("player", "banker"))
    _, played = finished_where(book, dice, lambda played: played.cards_dealt < FIRST_CARDS + 2)
    _deal_round(table, played)
    card = dice.pick(deck_of(book))
    table.deal([card], to=_side(side))
    happened = Phrase(
        "The round was complete, and the dealer drew {card} for {hand} besides.",
        card=write_card(card),
        hand=HANDS[_side(side)],
    )
    fields = {"irregularity": "excess_cards"}
    return Case("excess_cards", table, happened, answers.ERROR, "reconstruct", fields)


def _wrong_number(book: Rulebook, dice: Dice) -> Case:
    table, side = _table(book, dice), _side(dice.pick(("player", "banker")))
    _, played = finished_where(book, dice, lambda played: played.cards_dealt < FIRST_CARDS + 2)
    _deal_round(table, played)
    table.deal([dice.pick(deck_of(book))], to=side)
    happened = Phrase(
        "The round was complete, and {hand} got a card too many. The cards cannot be put right.",
        hand=HANDS[side],
    )
    fields = {"irregularity": "excess_cards", "possible": False}
    return Case("wrong_number_of_cards", table, happened, answers.ERROR, "reconstruct", fields)


def _swapped_hands(book: Rulebook, dice: Dice) -> Case:
    table = _table(book, dice)
    cards = deal_cards(book, dice)
    count = dice.pick((2, FIRST_CARDS))
    for card, side in zip(cards[:count], book.cards.order, strict=False):
        table.deal([card], to=opposite(side))
    if dice.one_in(3):
        happened = Phrase("The cards went to the wrong hands and cannot be put right.")
        fields = {"irregularity": "swapped_hands", "possible": False}
    else:
        happened = Phrase("The cards went to the wrong hands.")
        fields = {"irregularity": "swapped_hands"}
    return Case("swapped_hands", table, happened, answers.ERROR, "reconstruct", fields)


def _face_up(book: Rulebook, dice: Dice) -> Case:
    table = _table(book, dice, face_down=True)
    cards = deal_cards(book, dice)
    table.deal(cards[: dice.between(0, 2)])
    table.ask("dealer", "deal_card", card=cards[3], face_up=True)
    happened = Phrase(
        "Cards are dealt face down here. The dealer laid {card} face up.", card=write_card(cards[3])
    )
    return Case("face_up_cards", table, happened, answers.ERROR, "note_face_up")


def _together(book: Rulebook, dice: Dice) -> Case:
    table = _table(book, dice)
    cards = deal_cards(book, dice)
    count = dice.between(0, 2)
    table.deal(cards[:count])
    order = cards[count : count + 2]
    happened = Phrase(
        "{first} and {second} come out of the shoe together; nobody knows which was first.",
        first=write_card(order[0]),
        second=write_card(order[1]),
    )
    fields = {"order": list(order)}
    return Case("simultaneous_cards", table, happened, answers.ERROR, "order_simultaneous", fields)


def _reset(book: Rulebook, dice: Dice) -> Case:
    table = _table(book, dice)
    _some_cards(book, dice, table, 0, FIRST_CARDS)
    happened = Phrase("The shuffler stops and has to be reset.")
    return Case("equipment_reset", table, happened, answers.ERROR, "reset_equipment")


def _damaged_card(book: Rulebook, dice: Dice) -> Case:
    table = _table(book, dice)
    _some_cards(book, dice, table, 1, FIRST_CARDS)
    player, banker = table.hands
    side = _side("banker" if banker and dice.one_in(2) else "player")
    cards = banker if side == "banker" else player
    place = dice.between(1, len(cards))
    fields: dict[str, Any] = {"hand": side, "place": place}
    card = write_card(cards[place - 1])
    if dice.one_in(2):
        happened = Phrase("{card} is torn. The House can still make out which card it is.", card=card)
        fields["card"] = cards[place - 1]
    else:
        happened = Phrase(
            "Card {place} of {hand} is lost, and nobody can say which it was.", place=place, hand=HANDS[side]
        )
    return Case("damaged_cards", table, happened, answers.ERROR, "judge_damaged_card", fields)


def _dealing_error(book: Rulebook, dice: Dice) -> Case:
    table = _table(book, dice)
    _some_cards(book, dice, table, 0, FIRST_CARDS)
    happened = Phrase("The dealer made an error no paragraph names, and it cannot be put right.")
    fields = {"what": "training", "reconstructable": False}
    return Case("dealing_error", table, happened, answers.ERROR, "note_dealing_error", fields)


def _cut_card(book: Rulebook, dice: Dice) -> Case:
    table = _table(book, dice)
    _some_cards(book, dice, table, 1, FIRST_CARDS - 1)
    happened = Phrase("The cut card comes out in the middle of the round.")
    return Case("cut_card", table, happened, answers.CUT_CARD, "show_cut_card")


def _cut_card_first(book: Rulebook, dice: Dice) -> Case:
    high = dice.one_in(2)
    table = _table(book, dice, high_limit=high)
    happened = (
        Phrase("In a high-limit area, the cut card comes out before the first card of the round.")
        if high
        else Phrase("On the main floor, the cut card comes out before the first card of the round.")
    )
    return Case("cut_card_first", table, happened, answers.CUT_CARD, "show_cut_card")


def _withdrawal_not_offered(book: Rulebook, dice: Dice) -> Case:
    table = _table(book, dice, high_limit=True)
    _some_cards(book, dice, table, 1, FIRST_CARDS)
    happened = Phrase(
        "In a high-limit area, the cut card had come before the first card, "
        "and nobody offered the withdrawal."
    )
    return Case("withdrawal_not_offered", table, happened, answers.ERROR, "missed_withdrawal")


def _withdrawal_too_late(book: Rulebook, dice: Dice) -> Case:
    table = _table(book, dice, high_limit=True)
    table.ask("dealer", "show_cut_card")
    table.ask("dealer", "close_withdrawal")
    _some_cards(book, dice, table, 1, 3)
    happened = Phrase(
        "In a high-limit area, the cut card came first and the withdrawal was offered. "
        "Cards are dealt, and now {player} wants to withdraw.",
        player=PLAYERS[0],
    )
    fields = {"player": PLAYERS[0], "box": 1, "bet": original_names(book)["player"]}
    return Case("withdrawal_too_late", table, happened, answers.REQUEST, "withdraw_bet", fields, PLAYERS[0])


def _insurable_round(book: Rulebook, dice: Dice) -> tuple[FinishedRound, Side] | None:
    """A round with Insurance on offer after four cards, and the hand it was on."""

    def on_offer(played: FinishedRound) -> list[Side]:
        return [offer.hand for offer in offers(book, played.player.cards[:2], played.banker.cards[:2])]

    _, played = finished_where(book, dice, lambda played: bool(on_offer(played)))
    hands = on_offer(played)
    return (played, dice.pick(hands)) if hands else None


def _forgone(book: Rulebook, dice: Dice) -> Case | None:
    found = _insurable_round(book, dice)
    if found is None:
        return None
    played, hand = found
    table = _table(book, dice)
    _deal_round(table, played, FIRST_CARDS + 1)
    player = PLAYERS[0] if hand == "player" else PLAYERS[1]
    happened = Phrase(
        "Insurance on {hand} was on offer after four cards. {player} did not bet on it, and a card "
        "was drawn. Now {player} wants to insure.",
        hand=HANDS[hand],
        player=player,
    )
    fields = {"player": player, "box": 1 + (hand == "banker"), "hand": hand, "stake": _MINIMUM}
    return Case("insurance_forgone", table, happened, answers.REQUEST, "place_insurance", fields, player)


def _missed_insurance(book: Rulebook, dice: Dice) -> Case | None:
    found = _insurable_round(book, dice)
    if found is None:
        return None
    played, hand = found
    table = _table(book, dice)
    _deal_round(table, played, dice.between(FIRST_CARDS + 1, played.cards_dealt))
    player = PLAYERS[0] if hand == "player" else PLAYERS[1]
    happened = Phrase(
        "Insurance on {hand} was to be offered after four cards, "
        "and the dealer did not offer it to {player}.",
        hand=HANDS[hand],
        player=player,
    )
    fields = {"players": [player], "hand": hand}
    return Case(
        "missed_insurance", table, happened, answers.MISSED_INSURANCE, "offer_missed_insurance", fields
    )


def _misplaced_insurance(book: Rulebook, dice: Dice) -> Case | None:
    found = _insurable_round(book, dice)
    if found is None:
        return None
    played, hand = found
    if len(offers(book, played.player.cards[:2], played.banker.cards[:2])) > 1:
        return None
    table = _table(book, dice)
    _deal_round(table, played, FIRST_CARDS)
    player, box = (PLAYERS[0], 1) if hand == "player" else (PLAYERS[1], 2)
    wrong = {"player": player, "box": box, "hand": opposite(hand), "stake": _MINIMUM}
    table.ask("dealer", "place_insurance", **wrong)
    _deal_round(table, played, from_card=FIRST_CARDS)
    happened = Phrase(
        "{player} insured {hand} after four cards, and the dealer put the chips with the other hand.",
        player=player,
        hand=HANDS[hand],
    )
    fields = {"round": 1, "player": player, "box": box, "window": "four_cards", "hand": hand}
    return Case(
        "misplaced_insurance", table, happened, answers.INSURANCE_ASTRAY, "reposition_insurance", fields
    )


def _shoe_ran_dry(book: Rulebook, dice: Dice) -> Case:
    decks = book.cards.fewest_decks
    table = _table(book, dice, decks=decks)
    shoe = dice.shuffled(deck_of(book) * decks)
    while shoe:
        while shoe and next_hand(book, *table.hands) is not None:
            table.deal([shoe.pop()])
        if next_hand(book, *table.hands) is None:
            table.ask("dealer", "settle")
            table.open_with(_bets(book, dice))
            table.ask("dealer", "close_bets")
    happened = Phrase("The shoe is empty, and the round still needs a card.")
    return Case("shoe_ran_dry", table, happened, answers.ERROR, "void_round", {"cause": "shoe_ran_dry"})


def _walked_away(book: Rulebook, dice: Dice) -> Case | None:
    cards = _decided_round(book, dice)
    if cards is None:
        return None
    table = _table(book, dice)
    table.deal(cards[:2])
    table.ask(PLAYERS[0], "leave_seat", player=PLAYERS[0])
    table.deal(cards[2:])
    happened = Phrase("{player} walked away after betting.", player=PLAYERS[0])
    return Case("walked_away", table, happened, answers.BET_OF_SOMEBODY, "settle", decided=False)


def _misplaced_bet(book: Rulebook, dice: Dice) -> Case | None:
    cards = _decided_round(book, dice)
    if cards is None:
        return None
    table = _table(book, dice)
    table.deal(cards)
    happened = Phrase(
        "{player} says after the cards: the chips on Player were meant for Banker.", player=PLAYERS[0]
    )
    return Case("misplaced_bet", table, happened, answers.BET_OF_SOMEBODY, "settle", decided=False)


def _second_round(book: Rulebook, dice: Dice, played: FinishedRound | None = None) -> TrainingTable:
    """A table in its second round: the first was settled, the bets of the second are closed."""
    table = _table(book, dice)
    if played is None:
        table.deal(shoe_order(book, deal_cards(book, dice)))
    else:
        _deal_round(table, played)
    table.ask("dealer", "settle")
    table.open_with(_bets(book, dice))
    table.ask("dealer", "close_bets")
    return table


def _late_noticed(book: Rulebook, dice: Dice) -> Case:
    table = _second_round(book, dice)
    happened = Phrase("A dealing error of the round before is noticed only now.")
    fields = {"round": 1, "what": "training"}
    return Case(
        "late_noticed_error", table, happened, answers.EARLIER_ROUND, "note_late_error", fields, decided=False
    )


def _earlier_rounds(book: Rulebook, dice: Dice) -> Case | None:
    if "foreign_card" not in book.irregularities:
        return None
    table = _second_round(book, dice)
    happened = Phrase("This round is made void because a card is not of the set; the one before was settled.")
    fields = {"cause": "foreign_card"}
    return Case("earlier_rounds", table, happened, answers.EARLIER_ROUND, "void_round", fields, decided=False)


def _broke_table_of_play(book: Rulebook, dice: Dice) -> Case:
    extra = dice.one_in(2)
    wanted = 2 if extra else 3
    _, played = finished_where(book, dice, lambda played: len(played.banker.cards) == wanted)
    table = _second_round(book, dice, played)
    player, banker = played.player.cards, played.banker.cards
    if extra and len(banker) == 2:
        card = dice.pick(deck_of(book))
        banker = (*banker, card)
        happened = Phrase(
            "The next round has begun. In the one before, Banker really got a third card, {card}, "
            "that was not due.",
            card=write_card(card),
        )
    else:
        banker = banker[:2]
        happened = Phrase(
            "The next round has begun. In the one before, Banker really got no third card, "
            "though one was due."
        )
    fields = {"round": 1, "player": " ".join(player), "banker": " ".join(banker)}
    return Case("broke_table_of_play", table, happened, answers.BROKEN_ROUND, "correct_round", fields)


def _wrong_display(book: Rulebook, dice: Dice) -> Case:
    table = _table(book, dice)
    _some_cards(book, dice, table, 1, FIRST_CARDS)
    happened = Phrase("The display shows another total than the cards on the table.")
    return Case("wrong_display", table, happened, answers.ERROR, "note_wrong_display", {"what": "training"})


def _unprovided(book: Rulebook, dice: Dice) -> Case:
    table = _table(book, dice)
    _some_cards(book, dice, table, 0, FIRST_CARDS)
    happened = Phrase(
        "Something happens that the rules do not provide for, and the round is to be made void."
    )
    fields = {"reason": "training", "effect": "void_round"}
    return Case("unprovided_matter", table, happened, answers.ERROR, "rule_on_matter", fields)


def _deal_round(
    table: TrainingTable, played: FinishedRound, count: int = MOST_CARDS, *, from_card: int = 0
) -> None:
    """Deal the cards of a round in shoe order, up to so many of them."""
    player, banker = list(played.player.cards), list(played.banker.cards)
    first = [(player if side == "player" else banker).pop(0) for side in table.book.cards.order]
    table.deal([*first, *player, *banker][from_card:count])


def _side(name: str) -> Side:
    return "player" if name == "player" else "banker"


CASES: Final[Mapping[str, Callable[[Rulebook, Dice], Case | None]]] = {
    "below_minimum": _below_minimum,
    "insurance_forgone": _forgone,
    "walked_away": _walked_away,
    "technical_interruption": _interruption,
    "foreign_card": _void_cause("foreign_card", Phrase("A card comes out that is not of the set.")),
    "wrong_deck": _void_cause("wrong_deck", Phrase("A deck in the shoe turns out to lack cards.")),
    "unshuffled_cards": _void_cause(
        "unshuffled_cards", Phrase("The cards turn out not to have been shuffled.")
    ),
    "shoe_ran_dry": _shoe_ran_dry,
    "wrong_number_of_cards": _wrong_number,
    "earlier_rounds": _earlier_rounds,
    "late_bet": _late_bet,
    "cut_card": _cut_card,
    "cut_card_first": _cut_card_first,
    "withdrawal_too_late": _withdrawal_too_late,
    "withdrawal_not_offered": _withdrawal_not_offered,
    "excess_cards": lambda book, dice: (_excess_card if dice.one_in(2) else _exposed_card)(book, dice),
    "swapped_hands": _swapped_hands,
    "face_up_cards": _face_up,
    "simultaneous_cards": _together,
    "equipment_reset": _reset,
    "damaged_cards": _damaged_card,
    "late_noticed_error": _late_noticed,
    "broke_table_of_play": _broke_table_of_play,
    "dealing_error": _dealing_error,
    "missed_insurance": _missed_insurance,
    "misplaced_insurance": _misplaced_insurance,
    "misplaced_bet": _misplaced_bet,
    "wrong_display": _wrong_display,
    "bet_by_staff": _bet_by_staff,
    "unprovided_matter": _unprovided,
}
"""A case for each irregularity; a rulebook is asked about those it has."""
