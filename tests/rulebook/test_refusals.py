"""A refusal is the same refusal in another process."""

from __future__ import annotations

import copy
import pickle

import pytest

from lammer.floor.record.contract import Conflict
from lammer.floor.tables.command_handler import Unreached
from lammer.rulebook.citation import Citation
from lammer.rulebook.refusal import Refused

CITE = Citation("tiger-buffalo-noncommission@4", "3.8")
REFUSALS = [
    Refused("not_a_card", "1X is not a card."),
    Refused("bets_are_closed", "Bets are closed.", CITE, next_step="The next round opens after settlement."),
    Unreached("t1"),
    Conflict("t1", 7, 9),
]


@pytest.mark.parametrize("refused", REFUSALS, ids=lambda refused: refused.code)
def test_a_refusal_travels(refused: Refused) -> None:
    for again in (pickle.loads(pickle.dumps(refused)), copy.copy(refused)):
        assert type(again) is type(refused)
        assert str(again) == str(refused)
        assert (again.args, vars(again)) == (refused.args, vars(refused))
