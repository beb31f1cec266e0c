"""The secret that blinds the log: made at the first start, kept in the data folder, never in the record.

The keys of entries are derived from it. Whoever loses it loses no record and no signature, only the proofs of
rounds logged under it. A new one is put before the old: what is logged from then on is blinded with the first
line, and what was logged before is opened with the others.
"""

from __future__ import annotations

import secrets as entropy
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lammer.floor.record.signing_key import must_be_private, put_whole
from lammer.rulebook.refusal import Refused
from lammer.transparency.blinding import SECRET_BYTES, entry_key, secret_name

FILE: Final = "log-secret.txt"


@dataclass(frozen=True, slots=True)
class LogSecrets:
    """The secret that is used now, and those that were used before, by their names."""

    current: bytes
    known: Mapping[str, bytes]

    @property
    def name(self) -> str:
        return secret_name(self.current)

    def key(self, name: str, source: str, number: int) -> bytes | None:
        """The key of an entry logged under the secret of that name; None where that is not here."""
        secret = self.known.get(name)
        return None if secret is None else entry_key(secret, source, number)


def log_secrets(folder: Path) -> LogSecrets:
    """The secrets of this data folder; one is made now if there is none."""
    path = folder / FILE
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        put_whole(path, (entropy.token_hex(SECRET_BYTES) + "\n").encode(), 0o600)
    read = known_secrets(folder)
    assert read is not None, "it was made a moment ago"
    return read


def known_secrets(folder: Path) -> LogSecrets | None:
    """The secrets of a data folder, for whoever only reads; None where there are none."""
    path = folder / FILE
    if not path.exists():
        return None
    must_be_private(path)
    try:
        lines = [bytes.fromhex(line) for line in path.read_text("ascii").split()]
        if not lines or any(len(line) != SECRET_BYTES for line in lines):
            raise ValueError("a secret has 32 bytes")
    except ValueError:
        raise Refused(
            "malformed_input",
            "{path} holds no secret of a log.",
            next_step="Put the right file back. Without it older rounds cannot be proved.",
            path=path,
        ) from None
    return LogSecrets(lines[0], {secret_name(line): line for line in lines})
