"""Why somebody does not come in, and what cannot be done with an account."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

CODES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "too_many_attempts": "Too many sign-ins were tried; the next one waits.",
        "sign_in_failed": "The name or the password is wrong.",
        "account_disabled": "The account is disabled.",
        "link_not_valid": "The sign-in link was used already, is too old, or never was one.",
        "unknown_role": "The house has no such role.",
        "no_such_account": "There is no account of that name.",
        "account_exists": "There is an account of that name already.",
        "weak_password": "The password is one that others would try.",
        "last_administrator": "A house keeps at least one administrator.",
        "second_factor_needed": "Signing in to this account takes a second factor too.",
        "wrong_code": "The code is wrong, or was used already.",
        "passkey_refused": "The passkey does not fit what it was asked.",
        "half_sign_in_over": "The sign-in took too long, or was tried too often, before its second factor.",
        "second_factor_set": "There is a second factor of that kind already.",
        "no_second_factor": "The account has no such second factor.",
        "second_factor_off": "This house uses no second factor.",
        "unknown_purpose": "No key is made for that purpose.",
        "unknown_proposal": "Nothing of that number waits for a second person.",
        "same_person": "Nobody agrees to what they asked for themselves.",
    }
)
