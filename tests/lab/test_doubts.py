"""Figures that can hardly be meant are asked about; a shipped rulebook gives no cause."""

from __future__ import annotations

import pytest

import lammer
from lammer.lab.exact.doubts import doubts
from lammer.lab.exact.edges import edges
from lammer.lab.exact.targets import odds_for
from lammer.shelf import shipped_ids


@pytest.mark.parametrize("name", shipped_ids())
def test_no_doubt_of_what_is_approved(name: str) -> None:
    book = lammer.rulebook(name)
    assert not [*doubts(book, edges(book))]


@pytest.mark.parametrize("name", shipped_ids())
def test_the_odds_a_bet_has_reach_the_edge_it_has(name: str) -> None:
    """For every line of every pay table; and the odds found leave exactly the edge that was asked for."""
    for bet in edges(lammer.rulebook(name)).bets:
        for outcome in bet.outcomes:
            if outcome.pays:
                target = odds_for(bet, str(outcome.pays), bet.edge)
                assert target.odds == outcome.profit
                other = odds_for(bet, str(outcome.pays), bet.edge / 2)
                count = sum(
                    each.combinations
                    for each in bet.outcomes
                    if each.pays and str(each.pays) == str(outcome.pays)
                )
                assert (other.odds - outcome.profit) * count == bet.edge / 2 * bet.combinations
