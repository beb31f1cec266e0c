"""Every refusal a player can come by is said in Chinese: sentence, values and next step.

The refusals are read out of the code that raises them, so that one added there is missed here.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import lammer
from lammer.floor.web.pages.refusals import MEETS, in_language
from lammer.floor.web.problems import problem
from lammer.floor.web.refusal_codes import EVERY_CODE
from lammer.rulebook.refusal import Refused

SOURCE = Path(lammer.__file__).parent
PLAYERS = {
    "table/betting.py": "betting place_bet _seated _within_limits _differential withdraw_bet",
    "table/insuring.py": (
        "not_on_offer must_not_be_private shown cap place_insurance announce_insurance decline_insurance "
        "_must_take_bets _insurable_bet"
    ),
    "table/dealing.py": "dealing open_card request_squeeze must_reconstruct",
    "table/seating.py": "bring_chips take_chips take_seat leave_seat",
    "table/irregularities.py": "choose_option",
    "table/state.py": "require_setup under_way must_mean_this_round must_not_be_interrupted",
    "table/roles.py": "must_be must_act_for",
    "game/money.py": "parse_amount",
    "rulebook/model.py": "offer",
    "floor/record/purses.py": "__init__ transfer must_be_in_purse must_be_counted",
    "floor/tables/ownership.py": "at",
    "floor/tables/live_table.py": "_stop",
    "floor/access/accounts.py": "__init__ must_be_active",
    "floor/access/throttle.py": "__init__",
    "floor/access/links.py": "_not_valid",
    "floor/access/authenticator.py": "confirm",
    "floor/access/factors.py": "__init__ begin_app begin_passkey no_second_factor",
    "floor/access/half_sign_ins.py": "__init__ over",
    "floor/access/passkeys.py": "passkey_refused",
    "floor/web/context.py": "nobody",
    "floor/record/contract.py": "__init__",
    "floor/web/origin.py": "not_from_here",
    "floor/web/pages/site.py": "posted",
    "floor/web/pages/refusing.py": "must_read",
    "floor/web/pages/playing.py": "number done",
    "floor/web/pages/own_bets.py": "made_again nothing_down",
    "floor/web/pages/history.py": "proof",
}
"""Where a player's own requests end in a refusal, by function."""
VALUES = {
    "title(call.role)": "Player", "title(least)": "Dealer", "who": "player", "text[:40]!r": "'x'",
    "what": "The stake", "name": "box", "known": "AS",
}  # fmt: skip


def filled(node: ast.expr | None) -> str:
    """A sentence as it stands in the code, with something in each of its places."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.BinOp):
        return filled(node.left) + filled(node.right)
    if isinstance(node, ast.JoinedStr):
        return "".join(
            part.value if isinstance(part, ast.Constant) else _value(part)  # type: ignore[misc]
            for part in node.values
        )
    return ""


def _value(place: ast.expr) -> str:
    assert isinstance(place, ast.FormattedValue)
    written = ast.unparse(place.value)
    return VALUES.get(written, "7" if "seconds == 1" not in written else "s")


def raised() -> Iterator[tuple[str, str, str, str]]:
    for path, names in PLAYERS.items():
        tree = ast.parse((SOURCE / path).read_text())
        functions = [
            each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
        ]
        for name in names.split():
            here = [each for each in functions if each.name == name]
            assert here, f"{path} has no {name} any more"
            for call in (call for each in here for call in ast.walk(each)):
                if not isinstance(call, ast.Call):
                    continue
                called = ast.unparse(call.func)
                if called not in ("Refused", "super().__init__") or len(call.args) < 2:
                    continue
                step = next((each.value for each in call.keywords if each.arg == "next_step"), None)
                yield f"{path} {name}", filled(call.args[0]), filled(call.args[1]), filled(step)


FOUND = list(raised())


def test_the_code_is_read() -> None:
    assert len(FOUND) > 40
    assert {"bets_are_closed", "over_differential", "insurance_forgone", "sign_in_failed"} <= {
        code for _, code, _, _ in FOUND
    }


@pytest.mark.parametrize(
    ("where", "code", "sentence", "step"), FOUND, ids=[f"{w}-{c}" for w, c, _, _ in FOUND]
)
def test_sentence_and_next_step_are_said(where: str, code: str, sentence: str, step: str) -> None:
    known = code in EVERY_CODE
    assert not known or code in MEETS
    told = in_language(problem(Refused(code if known else "malformed_input", sentence, next_step=step)), "zh")
    for chinese, english in ((told.detail, sentence), (told.next, step)):
        assert bool(chinese) == bool(english)
        left = re.sub(r"7|AS|box|Player|Dealer", "", chinese)
        assert not re.search(r"[A-Za-z]{2,}", left), (where, chinese)


def test_every_code_a_player_meets_has_words_of_its_own_when_its_sentence_is_new() -> None:
    assert set(EVERY_CODE) >= MEETS
    for code in MEETS:
        told = in_language(problem(Refused(code, "Something nobody has said before.")), "zh")
        assert re.search("[\u4e00-\u9fff]", told.detail), code


def test_amounts_and_names_are_carried_over() -> None:
    said = Refused(
        "over_differential", "Box 3 may take 25.00 more on banker: its sides may differ by 10000.00."
    )
    assert in_language(problem(said), "zh").detail == "3 号位的庄只能再收 25.00：庄闲差额上限为 10000.00。"


def test_what_is_chinese_already_and_what_is_english_stay_as_they_are() -> None:
    told = in_language(problem(Refused("bets_are_closed", "第 3 局已停止下注。")), "zh")
    assert told.detail == "第 3 局已停止下注。"
    assert in_language(problem(Refused("bets_are_closed", "No.")), "en").detail == "No."
