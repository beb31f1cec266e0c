"""Long work and proofs as values for the pages that show them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from lammer.floor.record.round_proof import Proof
from lammer.floor.web.long_work import Work
from lammer.floor.web.pages.frame import thousands, to_second
from lammer.rulebook.refusal import Refused


@dataclass(frozen=True, slots=True)
class WorkShown:
    """A piece of long work as it stands: one of running, stopped, failed and done is true.

    `own` is true for whoever began it, who may also stop it.
    """

    request: dict[str, Any]
    by: str
    begun: str
    share: int
    rounds_done: str
    rounds_asked: str
    running: bool
    stopped: bool
    failed: bool
    done: bool
    own: bool
    refused: Refused | None
    result: Any


def work_shown(work: Work | None, reader: str) -> WorkShown | None:
    """A piece of work as this person sees it, if there is one."""
    if work is None:
        return None
    return WorkShown(
        work.what,
        work.by,
        to_second(work.begun),
        work.share,
        thousands(work.done),
        thousands(work.of),
        work.stands == "running",
        work.stands == "stopped",
        work.stands == "failed",
        work.stands == "done",
        work.by == reader,
        work.refused,
        work.result,
    )


@dataclass(frozen=True, slots=True)
class ProofShown:
    """What was found about the events of a round.

    `broken` is an event that does not follow, `wrong` what ails the checkpoint, `checkpoint` its number.
    """

    holds: bool
    first: int
    last: int
    broken: int | None
    wrong: str
    checkpoint: int | None
    joined: bool
    signed: str
    stated: int
    key: str


def proof_shown(proof: Proof) -> ProofShown:
    """The proof of a round for its page."""
    sealed = proof.sealed
    return ProofShown(
        proof.holds,
        proof.first,
        proof.last,
        proof.broken,
        proof.wrong,
        sealed.checkpoint.number if sealed else None,
        proof.joined,
        to_second(datetime.fromtimestamp(sealed.checkpoint.at / 1e6, UTC)) if sealed else "",
        proof.stated,
        sealed.key.hex()[:16] if sealed else "",
    )
