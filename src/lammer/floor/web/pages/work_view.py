"""Long work and proofs as values for the pages that show them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC
from typing import Any

from lammer.floor.record.monotonic_clock import moment
from lammer.floor.record.round_proof import Proof
from lammer.floor.web.long_work import Work
from lammer.rulebook.refusal import Refused
from lammer.wording.catalogues import Language
from lammer.wording.figures import write_count, write_moment


@dataclass(frozen=True, slots=True)
class WorkView:
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


def view_work(work: Work | None, reader: str, language: Language) -> WorkView | None:
    """A piece of work as this person sees it, if there is one."""
    if work is None:
        return None
    return WorkView(
        work.what,
        work.by,
        write_moment(language, work.begun, UTC),
        work.share,
        write_count(language, work.done),
        write_count(language, work.of),
        work.stands == "running",
        work.stands == "stopped",
        work.stands == "failed",
        work.stands == "done",
        work.by == reader,
        work.refused,
        work.result,
    )


@dataclass(frozen=True, slots=True)
class ProofView:
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


def view_proof(proof: Proof, language: Language) -> ProofView:
    """The proof of a round for its page."""
    sealed = proof.sealed
    return ProofView(
        proof.holds,
        proof.first,
        proof.last,
        proof.broken,
        proof.wrong,
        sealed.checkpoint.number if sealed else None,
        proof.joined,
        write_moment(language, moment(sealed.checkpoint.at), UTC) if sealed else "",
        proof.stated,
        sealed.key.hex()[:16] if sealed else "",
    )
