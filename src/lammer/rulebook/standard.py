"""What holds where a private rulebook says nothing: the baccarat that is played everywhere.

A file that names who approved it has to say everything itself, and nothing here is added to it. A file
that does not is a what-if of its author's own: it may leave out whatever is as usual. What it leaves out
is put in here, before the file is read, so that nobody after `load` has to know the difference.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from copy import deepcopy
from datetime import UTC, datetime
from typing import Any, Final

from lammer.rulebook.problems import Path
from lammer.rulebook.vocabulary import RANKS, ROLES, SIDES, SUITS

Values = dict[str, Any]

STANDARD: Final[Values] = tomllib.loads("""
[cards]
decks = { fewest = 1, most = 10, cards = 52 }
order = { hands = ["player", "banker", "player", "banker"] }
value = [
  { ranks = "A 2 3 4 5 6 7 8 9 T J Q K", points = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0, 0] },
]

[table_of_play]
natural = { total = [8, 9] }
player = [
  { total = [0, 1, 2, 3, 4, 5], does = "draws" },
  { total = [6, 7], does = "stands" },
]
banker = [
  { total = [0, 1, 2], does = "draws" },
  { total = 3, third = [0, 1, 2, 3, 4, 5, 6, 7, 9], does = "draws" },
  { total = 3, third = 8, does = "stands" },
  { total = 4, third = [2, 3, 4, 5, 6, 7], does = "draws" },
  { total = 4, third = [0, 1, 8, 9], does = "stands" },
  { total = 5, third = [4, 5, 6, 7], does = "draws" },
  { total = 5, third = [0, 1, 2, 3, 8, 9], does = "stands" },
  { total = 6, third = [6, 7], does = "draws" },
  { total = 6, third = [0, 1, 2, 3, 4, 5, 8, 9], does = "stands" },
  { total = 7, does = "stands" },
  { total = [0, 1, 2, 3, 4, 5], player_stood = true, does = "draws" },
  { total = [6, 7, 8, 9], player_stood = true, does = "stands" },
]

[result]

[layouts]
layout = [{ appendix = "A", fewest = 1, most = 9 }]

[squeeze]
right = "player"

[[irregularity]]
name  = "excess_differential"
title = "A box beyond the maximum Differential"
steps = [
  { does = "refuse_excess", when = "noticed_before_close", by = "house" },
  { does = "seated_before_standing", when = "noticed_before_close" },
  { does = "cut_pro_rata", when = "noticed_after_close" },
  { does = "keep_at_least_minimum", when = "noticed_after_close" },
  { does = "exempt_from_pro_rata", when = "bet_below_minimum" },
]

[[irregularity]]
name  = "below_minimum"
title = "A bet below the minimum"
steps = [
  { does = "advise_minimum", when = "noticed_before_close", by = "dealer" },
  { does = "bet_stands", when = "noticed_after_close" },
]

[[irregularity]]
name  = "insurance_forgone"
title = "Insurance not bet before the next card"
steps = [{ does = "forgo_insurance" }]

[[irregularity]]
name  = "walked_away"
title = "A player who walks away after betting"
steps = [{ does = "settle_bet", by = "house" }]

[[irregularity]]
name  = "technical_interruption"
title = "A technical interruption"
steps = [
  { does = "conclude_round", when = "outcome_established" },
  { does = "void_round", when = "no_outcome" },
]

[[irregularity]]
name  = "foreign_card"
title = "A card that is not of the set"
steps = [{ does = "void_round" }]

[[irregularity]]
name  = "wrong_deck"
title = "Cards missing from the deck, or too many"
steps = [{ does = "void_round" }]

[[irregularity]]
name  = "wrong_number_of_cards"
title = "A hand with a wrong number of cards"
steps = [{ does = "void_round", when = "found_in_time_and_cannot_be_reconstructed" }]

[[irregularity]]
name  = "shoe_ran_dry"
title = "Too few cards to finish the round"
steps = [{ does = "void_round" }]

[[irregularity]]
name  = "unshuffled_cards"
title = "Cards that were not shuffled"
steps = [{ does = "void_round" }]

[[irregularity]]
name  = "earlier_rounds"
title = "Earlier rounds when a round is voided"
steps = [{ does = "earlier_rounds_stand" }]

[[irregularity]]
name  = "late_bet"
title = "A bet placed, increased or withdrawn after the close"
steps = [
  { does = "refuse_bet", by = "dealer" },
  { does = "refuse_withdrawal", by = "dealer" },
]

[[irregularity]]
name  = "cut_card"
title = "The cut card appears during a round"
steps = [{ does = "remove_cut_card" }, { does = "continue_round" }]

[[irregularity]]
name  = "excess_cards"
title = "Cards drawn in excess or exposed"
steps = [
  { does = "reconstruct", when = "can_be_reconstructed", by = "house", discretion = "reasonable" },
  { does = "carry_to_next_round", by = "house", discretion = "reasonable" },
]
options = { when = "no_outcome" }

[[irregularity]]
name  = "swapped_hands"
title = "Cards dealt to the wrong area or the wrong person"
steps = [{ does = "reconstruct" }]
options = { when = "no_outcome_or_not_put_right" }

[[irregularity]]
name  = "face_up_cards"
title = "Cards dealt face up at a face-down table"
steps = [{ does = "continue_round" }]
options = { when = "no_outcome" }

[[irregularity]]
name  = "simultaneous_cards"
title = "Cards drawn together"
steps = [
  { does = "decide_order", when = "order_unknown", by = "pit_supervisor" },
  { does = "replace_shoe", by = "pit_supervisor" },
]
options = { when = "always" }

[[irregularity]]
name  = "equipment_reset"
title = "Shoe or shuffler reset after the close"
options = { when = "no_outcome" }

[[irregularity]]
name  = "damaged_cards"
title = "A card damaged or lost after it was drawn"
steps = [
  { does = "determine_card", by = "house", discretion = "reasonable" },
  { does = "void_round", when = "card_cannot_be_determined" },
]

[[irregularity]]
name  = "late_noticed_error"
title = "An error noticed after the next round began"
steps = [{ does = "later_rounds_stand", when = "next_round_began" }]

[[irregularity]]
name  = "broke_table_of_play"
title = "An earlier round that did not follow the Table of Play"
steps = [
  { does = "void_round", when = "third_card_missing" },
  { does = "strike_out_card", when = "third_card_extra", by = "house" },
  { does = "judge_rectification", when = "third_card_extra", by = "house", discretion = "reasonable" },
  { does = "keep_side_bet", when = "side_bet_decided" },
]

[[irregularity]]
name  = "dealing_error"
title = "Any other dealing error"
steps = [
  { does = "continue_hand", when = "cannot_be_reconstructed" },
  { does = "continue_reconstructed_hand", when = "can_be_reconstructed" },
  { does = "return_bets" },
]
options = { when = "always" }

[[irregularity]]
name  = "missed_insurance"
title = "Insurance the dealer did not offer"
steps = [
  { does = "offer_insurance", when = "no_outcome", by = "pit_manager" },
  { does = "cap_insurance_payout", when = "no_outcome" },
  { does = "return_original_bet", when = "insurance_would_have_won", by = "pit_manager" },
  { does = "except_private_table" },
]

[[irregularity]]
name  = "misplaced_insurance"
title = "Insurance put on the wrong side"
steps = [{ does = "reposition_insurance" }]

[[irregularity]]
name  = "misplaced_bet"
title = "A bet lying where it was not meant"
steps = [{ does = "settle_by_position" }]

[[irregularity]]
name  = "wrong_display"
title = "A display that differs from the table"
steps = [{ does = "table_prevails" }]

[[irregularity]]
name  = "void"
title = "A void round"
steps = [{ does = "return_bets" }]

[[irregularity]]
name  = "bet_by_staff"
title = "A bet placed by staff at a player's request"
steps = [{ does = "place_for_player", by = "dealer" }]

[[irregularity]]
name  = "unprovided_matter"
title = "A matter the rules do not provide for"
steps = [{ does = "rule_on_matter", by = "table_game_shift_manager", discretion = "reasonable" }]

[[reading]]
name     = "twin_pair"
question = "Are two pairs twins when their ranks are the same, or when their points are?"
choice   = "same_rank"
alternatives = ["same_value"]
because  = "The usual reading, since the file does not choose another."

[[reading]]
name     = "rounding"
question = "What happens to a fraction of a cent?"
choice   = "down_to_the_cent"
alternatives = ["even_stakes_only"]
because  = "The usual reading, since the file does not choose another."

[[reading]]
name     = "outcome_established"
question = "Which bets establish an outcome?"
choice   = "bets_offered"
alternatives = ["bets_placed", "player_and_banker_only"]
because  = "The usual reading, since the file does not choose another."
""")
"""The parts of a rulebook that are the same nearly everywhere, without paragraphs."""

IN_FORCE_FROM: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""A private rulebook without a date holds whenever somebody tries it."""

_OF_INSURANCE: Final = frozenset({"insurance_forgone", "missed_insurance", "misplaced_insurance"})
_PRIVATE_TABLE: Final = {"by": "house", "notice": False}
_PARTS: Final = ("cards", "table_of_play", "result", "layouts", "squeeze")


def is_private(values: Mapping[str, Any]) -> bool:
    """Whether a file is a what-if of its author's own: it does not say who approved it.

    >>> is_private({"rulebook": {"game": "mine"}}), is_private({"rulebook": {"approved_by": "GRA"}})
    (True, False)
    """
    identity = values.get("rulebook")
    return not (isinstance(identity, dict) and identity.get("approved_by"))


def in_words(name: str) -> str:
    """A name as a title.

    >>> in_words("ez-baccarat"), in_words("big_tiger")
    ('Ez Baccarat', 'Big Tiger')
    """
    return name.replace("_", " ").replace("-", " ").title()


def completed(values: Values) -> tuple[Values, tuple[Path, ...]]:
    """A private file with everything it left out, and the places of the parts that were put in.

    >>> values, put_in = completed({"rulebook": {"game": "mine"}, "bet": [{"name": "tie", "pays": "8:1"}]})
    >>> values["rulebook"]["title"], values["bet"][0]["pays"], values["bet"][0]["offered"]
    ('Mine', [{'odds': '8:1'}], {'layouts': 'A'})
    >>> ("table_of_play",) in put_in
    True
    """
    full = deepcopy(values)
    put_in = [*_parts(full)]
    if isinstance(identity := full.setdefault("rulebook", {}), dict):
        put_in += [("rulebook", key) for key in _identity(identity)]
    if isinstance(insurance := full.get("insurance"), dict) and "private_table" not in insurance:
        insurance["private_table"] = dict(_PRIVATE_TABLE)
        put_in.append(("insurance", "private_table"))
    put_in += [*_bets(full), *_irregularities(full), *_readings(full)]
    if "role" not in full:
        full["role"] = [{"name": role} for role in ROLES]
        put_in.append(("role",))
    return full, tuple(put_in)


def _parts(full: Values) -> Iterator[Path]:
    for part in _PARTS:
        if part not in full:
            full[part] = {}
            yield (part,)
        if isinstance(said := full[part], dict):
            for key in STANDARD[part].keys() - said.keys():
                said[key] = deepcopy(STANDARD[part][key])
                yield (part, key)
            if part == "cards" and isinstance(decks := said["decks"], dict):
                _deck(said, decks)


def _deck(cards: Values, decks: Values) -> None:
    """Four cards of each rank there is, and what those ranks are worth."""
    ranks = decks["ranks"].split() if isinstance(decks.get("ranks"), str) else [*RANKS]
    decks.setdefault("cards", len(SUITS) * len(ranks))
    if cards["value"] == STANDARD["cards"]["value"]:
        (usual,) = STANDARD["cards"]["value"]
        worth = dict(zip(usual["ranks"].split(), usual["points"], strict=True))
        kept = [rank for rank in worth if rank in ranks]
        cards["value"] = [{"ranks": " ".join(kept), "points": [worth[rank] for rank in kept]}]


def _identity(identity: Values) -> Iterator[str]:
    game = identity.get("game")
    usual: Values = {
        "version": 1,
        "title": in_words(game) if isinstance(game, str) and game else "?",
        "approved_by": "",
        "operator": "",
        "in_force_from": IN_FORCE_FROM,
        "time_zone": "UTC",
    }
    for key, value in usual.items():
        if key not in identity:
            identity[key] = value
            yield key
    if "title_zh" not in identity:
        identity["title_zh"] = identity["title"]
        yield "title_zh"


def rows_of(values: Mapping[str, Any], *path: str) -> list[tuple[int, Values]]:
    """The rows of a table that are rows, with their places; malformed ones are `load`'s to report."""
    found: Any = values
    for key in path:
        found = found.get(key) if isinstance(found, Mapping) else None
    return [
        (place, row)
        for place, row in enumerate(found if isinstance(found, list) else ())
        if isinstance(row, dict)
    ]


def _bets(full: Values) -> Iterator[Path]:
    bets = [row for _, row in rows_of(full, "bet")]
    letters = "".join(str(row.get("appendix")) for _, row in rows_of(full, "layouts", "layout"))
    unsaid = {side for side in SIDES if not any(bet.get("original") == side for bet in bets)}
    for place, bet in enumerate(bets):
        name = bet.get("name")
        usual: Values = {
            "title": in_words(name) if isinstance(name, str) else "",
            "offered": {"layouts": letters},
        }
        if name in unsaid and bet.get("wins") == {"hand": name}:
            bet.setdefault("original", name)
        for key, value in usual.items():
            if key not in bet:
                bet[key] = value
                yield ("bet", place, key)
        if "title_zh" not in bet:
            bet["title_zh"] = bet["title"]
            yield ("bet", place, "title_zh")
        if isinstance(bet.get("pays"), str):
            bet["pays"] = [{"odds": bet["pays"]}]


def _irregularities(full: Values) -> Iterator[Path]:
    """The usual irregularities where a file lists none; a file that lists some knows no others."""
    if "irregularity" not in full:
        insured = "insurance" in full
        rows = [row for row in STANDARD["irregularity"] if insured or row["name"] not in _OF_INSURANCE]
        full["irregularity"] = deepcopy(rows)
        yield ("irregularity",)
    for place, row in rows_of(full, "irregularity"):
        if "title" not in row and isinstance(row.get("name"), str):
            row["title"] = in_words(row["name"])
            yield ("irregularity", place, "title")


def _readings(full: Values) -> Iterator[Path]:
    """What no round is settled without; a reading that only chooses gets the question of that name."""
    usual = {row["name"]: row for row in STANDARD["reading"]}
    for place, row in rows_of(full, "reading"):
        name = row.get("name")
        if isinstance(name, str):
            words: Values = usual.get(name, {"question": f"{in_words(name)}?"})
            for key in ("question", "because"):
                if key not in row:
                    row[key] = words.get(key, "The choice of this file.")
                    yield ("reading", place, key)
    if isinstance(readings := full.setdefault("reading", []), list):
        listed = {row.get("name") for _, row in rows_of(full, "reading")}
        for name, row in usual.items():
            if name not in listed:
                yield ("reading", len(readings))
                readings.append(deepcopy(row))
