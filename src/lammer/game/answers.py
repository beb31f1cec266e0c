"""Where the game keeps its promises: each behaviour of this room and the code that answers for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from lammer.game import bets, conclusive, drawing, hands, insurance, settlement, shoe

ANSWERS: Final[dict[str, tuple[Callable[..., object], ...]]] = {
    "decks": (shoe.must_allow_decks, shoe.must_fit),
    "card_values": (hands.total,),
    "hands": (drawing.deal,),
    "point_total": (hands.total,),
    "dealing_order": (drawing.deal, drawing.next_hand),
    "natural": (drawing.player_draws, drawing.banker_draws),
    "player_third_card": (drawing.player_draws,),
    "banker_third_card": (drawing.banker_draws,),
    "winner": (hands.FinishedRound, bets.judge),
    "tie_returns": (bets.judge,),
    "bet_wins": (bets.judge, bets.pair_tier),
    "bet_pays": (bets.judge, settlement.settle),
    "commission": (settlement.settle,),
    "insurance_right": (settlement.settle, insurance.judge_insurance),
    "insurance_windows": (insurance.window, insurance.offers),
    "insurance_limit": (insurance.limit,),
    "insurance_pays": (insurance.judge_insurance, settlement.settle),
    "insurance_on_tie": (insurance.judge_insurance,),
    "outcome_established": (conclusive.standings, conclusive.established),
}
