"""Settings that cannot be are refused at the start, in a sentence, and not met later as a fault."""

from __future__ import annotations

import pytest

from lammer.floor.settings import Settings
from lammer.rulebook.refusal import Refused


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "99999"),
        ("PORT", "-1"),
        ("TABLES", "-1"),
        ("CHIPS", "-1"),
        ("IDLE_MINUTES", "0"),
        ("IDLE_MINUTES", "721"),
        ("SESSION_HOURS", "0"),
        ("BETTING_SECONDS", "-5"),
        ("BETTING_SECONDS", "nan"),
        ("WINDOW_SECONDS", "1e9"),
        ("CHECKPOINT_SECONDS", "0"),
        ("LEASE_SECONDS", "0"),
        ("DEMO", "maybe"),
    ],
)
def test_what_cannot_be_is_refused(name: str, value: str) -> None:
    with pytest.raises(Refused, match=r"malformed_input: A setting cannot be read"):
        Settings.read({f"LAMMER_{name}": value})


def test_the_command_line_comes_before_the_environment() -> None:
    made = Settings.read({"LAMMER_PORT": "8080", "LAMMER_HOST": "::1"}, port=0, host=None)
    assert (made.port, made.host) == (0, "::1")
