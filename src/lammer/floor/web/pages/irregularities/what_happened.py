"""What may have happened, in plain words, and what can be asked of the table about it.

The names are those of a rulebook's irregularities; a document that has no paragraph for one does not show it.
What a form asks for is a command of the table's own vocabulary and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

Kind = Literal[
    "text", "reason", "card", "cards", "hand", "place", "round", "players", "player", "box", "window",
    "effect", "yes", "what", "why", "places", "hands",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Field:
    """Something a person has to say."""

    name: str
    kind: Kind
    label: str


@dataclass(frozen=True, slots=True)
class Ask:
    """A command with what is fixed about it and what has to be said."""

    do: str
    label: str
    fields: tuple[Field, ...] = ()
    fixed: Mapping[str, Any] = field(default_factory=dict)


_WHAT: Final = Field("what", "what", "What happened")
_REASON: Final = Field("reason", "reason", "What happened")
_WHY: Final = Field("reason", "why", "How it came about (not needed for a slip of the last card)")
_ROUND: Final = Field("round", "round", "Round")
_PLAYERS: Final = Field("players", "players", "Players who were not offered it")
_PLAYER: Final = Field("player", "player", "Name")
_CARD: Final = Field("card", "card", "The card")
_HAND: Final = Field("hand", "hand", "Hand")
_PLACE: Final = Field("place", "place", "Its place in the hand")


def _fell(label: str) -> Ask:
    """A card as it really fell; without it on the table there is nothing to put right."""
    return Ask("deal_card", label, (_CARD, Field("to", "hand", "Where it fell")))


def _right(name: str) -> tuple[Ask, ...]:
    return (
        Ask("reconstruct", "Put the cards into their intended order", fixed={"irregularity": name}),
        Ask("reconstruct", "They cannot be put right", fixed={"irregularity": name, "possible": False}),
    )


def _void(cause: str) -> tuple[Ask, ...]:
    return (Ask("void_round", "Void the round", fixed={"cause": cause}),)


RECORDED: Final = "card_recorded_wrongly"
"""No irregularity of the game: the record says another card than lies on the table."""
_RECORDED_WORDS: Final = "A card was recorded wrongly: mistyped, misread, or scanned as another."

GROUPS: Final[Mapping[str, Mapping[str, str]]] = {
    "The cards": {
        RECORDED: _RECORDED_WORDS,
        "swapped_hands": "A card went to the wrong hand.",
        "excess_cards": "A card too many was drawn, or one was exposed.",
        "simultaneous_cards": "Two or more cards came out together.",
        "face_up_cards": "A card was dealt face up that belongs face down.",
        "wrong_number_of_cards": "A hand has too many cards or too few.",
        "damaged_cards": "A card is damaged or lost.",
        "foreign_card": "A card does not belong to this shoe.",
        "wrong_deck": "The shoe holds too many cards or too few.",
        "unshuffled_cards": "The cards were not shuffled.",
        "shoe_ran_dry": "The shoe has too few cards for this round.",
    },
    "The cut card": {
        "cut_card": "The cut card came out.",
        "cut_card_first": "The cut card came out as the first card.",
        "withdrawal_too_late": "A player wants a bet back, and a card is dealt.",
        "withdrawal_not_offered": "Players were not asked whether they withdraw.",
    },
    "The bets": {
        "excess_differential": "A box holds more than the Differential allows.",
        "below_minimum": "A bet is below the minimum.",
        "late_bet": "A bet was placed or moved after the close.",
        "misplaced_bet": "A bet lies where it was not meant.",
        "walked_away": "A player walked away.",
    },
    "Insurance": {
        "missed_insurance": "Insurance was not offered.",
        "misplaced_insurance": "Insurance lies on the wrong side.",
        "insurance_forgone": "A player wants Insurance after the next card.",
    },
    "The equipment": {
        "technical_interruption": "Power, network or a machine failed.",
        "equipment_reset": "Shoe or shuffler had to be reset.",
        "wrong_display": "A display shows something else than the table.",
    },
    "An earlier round": {
        RECORDED: _RECORDED_WORDS,
        "late_noticed_error": "An error of an earlier round came to light.",
        "broke_table_of_play": "An earlier round had a third card too many or too few.",
        "earlier_rounds": "Somebody disputes an earlier round.",
    },
    "Something else": {
        "dealing_error": "Another dealing error.",
        "unprovided_matter": "The rules say nothing about it.",
    },
}
"""Every name with its plain words, by where somebody looks for it."""

PLAIN: Final = {name: words for names in GROUPS.values() for name, words in names.items()}

EVERYDAY: Final[Mapping[str, str]] = {
    RECORDED: "typed typo mistyped misread scanner keyed entered wrong card wrong suit wrong value",
    "swapped_hands": "swapped switched misplaced other hand wrong side crossed mixed up dealt to wrong",
    "excess_cards": "extra drop dropped fell flipped turned over seen showed flashed drawn third card",
    "simultaneous_cards": "stuck two at once double pulled together glued",
    "face_up_cards": "flipped turned over exposed open showed seen upside",
    "wrong_number_of_cards": "extra missing short third card forgot miscount count",
    "damaged_cards": "torn ripped bent marked crimped broken lost missing dirty wet drop dropped floor",
    "foreign_card": "strange other deck fake duplicate too many same card back colour joker",
    "wrong_deck": "count missing extra short decks",
    "unshuffled_cards": "shuffle shuffling sequence order new cards",
    "shoe_ran_dry": "empty run out ran out no cards finished end",
    "cut_card": "yellow plastic marker last hand end shoe",
    "cut_card_first": "yellow plastic marker first card",
    "withdrawal_too_late": "take back withdraw cancel change mind pull remove",
    "withdrawal_not_offered": "take back withdraw ask forgot offer",
    "excess_differential": "over limit maximum too much high difference box",
    "below_minimum": "under limit too small low short",
    "late_bet": "late past posting pressed capped added pinched moved after no more bets cheat",
    "misplaced_bet": "wrong spot wrong area wrong box misplaced fell slipped drop dropped chips moved",
    "walked_away": "left gone leaves absent toilet phone",
    "missed_insurance": "forgot forgotten skipped lammer offer asked",
    "misplaced_insurance": "lammer misplaced wrong hand wrong spot other side",
    "insurance_forgone": "late lammer after card too late",
    "technical_interruption": "outage blackout crash crashed frozen internet computer screen fire alarm",
    "equipment_reset": "jam jammed stuck restart reboot shuffler",
    "wrong_display": "screen board monitor sign road score shows",
    "late_noticed_error": "pay paid payout overpaid underpaid wrong amount chips took take settled mistake",
    "broke_table_of_play": "third card drew drawn stood rule earlier",
    "earlier_rounds": "pay paid payout overpaid underpaid complaint dispute argue claim camera review",
    "dealing_error": "pay paid payout overpaid underpaid mistake burn procedure drop dropped shoe fell",
    "unprovided_matter": "other fight spill drink sick strange cheat not listed",
}
"""Words people use for what happened, by which a search finds it; a catalogue has those of its language."""

ASKS: Final[Mapping[str, tuple[Ask, ...]]] = {
    RECORDED: (Ask("correct_card", "Say which card it really is", (_ROUND, _HAND, _PLACE, _CARD, _WHY)),),
    "swapped_hands": (
        _fell("Say where the card fell"),
        Ask(
            "note_swapped_cards",
            "Say which recorded cards really lie with the other hand",
            (
                Field("player", "places", "Cards recorded with the Player that lie with the Banker"),
                Field("banker", "places", "Cards recorded with the Banker that lie with the Player"),
            ),
        ),
        *_right("swapped_hands"),
    ),
    "excess_cards": (
        _fell("Say where the card fell"),
        Ask("expose_card", "Say which card was seen that belongs to no hand", (_CARD,)),
        *_right("excess_cards"),
    ),
    "simultaneous_cards": (
        Ask(
            "order_simultaneous",
            "Say in which order they count",
            (
                Field("order", "cards", "The cards in their order"),
                Field("order_known", "yes", "The order was seen and is certain"),
                Field("replace_shoe", "yes", "Replace the shoe after this round"),
            ),
        ),
    ),
    "face_up_cards": (
        Ask("deal_card", "Say that the next card fell face up", (_CARD,), {"face_up": True}),
        Ask("note_face_up", "Note it"),
    ),
    "wrong_number_of_cards": (*_right("excess_cards"), *_void("wrong_number_of_cards")),
    "damaged_cards": (
        Ask(
            "judge_damaged_card",
            "Say which card it is found to be; leave it empty if nobody can tell",
            (_HAND, _PLACE, _CARD),
        ),
    ),
    "foreign_card": _void("foreign_card"),
    "wrong_deck": _void("wrong_deck"),
    "unshuffled_cards": _void("unshuffled_cards"),
    "shoe_ran_dry": _void("shoe_ran_dry"),
    "cut_card": (Ask("show_cut_card", "Take it away and note it"),),
    "cut_card_first": (
        Ask("show_cut_card", "Take it away and note it"),
        Ask("close_withdrawal", "Withdrawal is over"),
    ),
    "withdrawal_not_offered": (Ask("missed_withdrawal", "Note it"),),
    "excess_differential": (Ask("refuse_excess", "Refuse what is too much"),),
    "walked_away": (Ask("leave_seat", "Note it", (_PLAYER,)),),
    "missed_insurance": (
        Ask(
            "offer_missed_insurance",
            "Offer it now, or give the bets back",
            (_ROUND, _PLAYERS, _HAND),
        ),
    ),
    "misplaced_insurance": (
        Ask(
            "reposition_insurance",
            "Move it to where it belongs",
            (
                _ROUND,
                _PLAYER,
                Field("box", "box", "Box"),
                Field("window", "window", "Window"),
                Field("hand", "hand", "The right hand"),
            ),
        ),
    ),
    "technical_interruption": (
        Ask("interrupt", "Stop the round", (Field("reason", "what", "What failed"),)),
        Ask("resolve_interruption", "Resolve the interruption"),
    ),
    "equipment_reset": (Ask("reset_equipment", "Note it"),),
    "wrong_display": (Ask("note_wrong_display", "Note it", (_WHAT,)),),
    "late_noticed_error": (
        Ask("reopen_settlement", "Reopen the settlement of the round just paid", (_REASON,)),
        Ask("note_late_error", "Note an error of an earlier round", (_ROUND, _WHAT)),
    ),
    "broke_table_of_play": (),
    "dealing_error": (
        Ask(
            "note_dealing_error",
            "Note it",
            (_WHAT, Field("reconstructable", "yes", "The hand was put right")),
        ),
        Ask("confirm_error", "Confirm the error: the players are asked", fixed={"confirmed": True}),
        Ask("confirm_error", "It was none: the round goes on", fixed={"confirmed": False}),
    ),
    "unprovided_matter": (
        Ask(
            "rule_on_matter",
            "Ask for a ruling",
            (
                _ROUND,
                _REASON,
                Field("effect", "effect", "Effect"),
                Field("players", "players", "Whose bets go back"),
                Field("player", "hands", "The Player’s cards, where the round is settled by other cards"),
                Field("banker", "hands", "The Banker’s cards, where the round is settled by other cards"),
            ),
        ),
    ),
}
