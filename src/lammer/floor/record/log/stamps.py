"""Time stamps of RFC 3161 on checkpoints of the log, from an authority a house has.

What a stamp says is that this checkpoint was there at that second, by a clock that is neither the house's nor
a witness's. It is taken now and then, kept as it came, and goes with the evidence of rounds: `openssl ts`
checks it, with the authority's certificate. Only its fit is looked at here: that it was granted, and is of
this checkpoint and of this request.
"""

from __future__ import annotations

import logging
from hashlib import sha256
from threading import Event, Thread
from time import monotonic
from typing import Final

import httpx
from sqlalchemy import Connection, insert

from lammer.floor.record.contract import Store
from lammer.floor.record.log.log_tables import SignedHead, cosigned_head, log_stamps, stamp_of
from lammer.rulebook.refusal import Refused

SECONDS: Final = 20.0
"""Seconds an authority may take to answer."""
ASKED: Final = "application/timestamp-query"
_log = logging.getLogger("lammer.floor.record.log.stamps")


class Stamps:
    """Has a checkpoint stamped every so many seconds, if the log moved; in a thread of its own."""

    def __init__(
        self, store: Store, address: str, every: float, transport: httpx.BaseTransport | None = None
    ) -> None:
        if address and not address.startswith(("http://", "https://")):
            raise Refused(
                "malformed_input",
                "An authority for time stamps is asked at an address that begins with http: {address}.",
                next_step="Write its whole address.",
                address=repr(address[:100]),
            )
        self.address, self.every = address, every
        self._store, self._transport = store, transport
        self._last: float | None = None
        self._moved, self._over = Event(), Event()
        self._thread: Thread | None = None

    def start(self) -> None:
        if self.address:
            self._thread = Thread(target=self._run, name="lammer-stamps", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        self._over.set()
        self._moved.set()
        if self._thread is not None:
            self._thread.join(SECONDS)

    def wake(self) -> None:
        """There is a checkpoint; it is stamped if it is time."""
        if self._last is None or monotonic() - self._last >= self.every:
            self._moved.set()

    def _run(self) -> None:
        while True:
            self._moved.wait()
            self._moved.clear()
            if self._over.is_set():
                return
            try:
                self.stamp()
            except (httpx.HTTPError, httpx.InvalidURL, Refused, OSError) as error:
                _log.warning("the authority for time stamps did not stamp: %s", error)
            except Exception:
                _log.exception("no time stamp could be taken")

    def stamp(self) -> SignedHead | None:
        """Have the last checkpoint stamped, if possible one that witnesses saw; None where it is already."""
        with self._store.reading() as connection:
            head = cosigned_head(connection)
            if head is None or stamp_of(connection, head.head.size):
                return None
        response = self._ask(head.note.text.encode())
        row = {"size": head.head.size, "response": response}

        def work(connection: Connection) -> None:
            if not stamp_of(connection, head.head.size):
                connection.execute(insert(log_stamps).values(row))

        self._store.write(work).result()
        self._last = monotonic()
        return head

    def _ask(self, message: bytes) -> bytes:
        import rfc3161_client as rfc3161  # noqa: PLC0415 (only a house with an authority needs it)

        builder = rfc3161.TimestampRequestBuilder().data(message).hash_algorithm(rfc3161.HashAlgorithm.SHA256)
        request = builder.nonce(nonce=True).cert_request(cert_request=True).build()
        with httpx.Client(transport=self._transport, timeout=SECONDS) as client:
            answer = client.post(
                self.address, content=request.as_bytes(), headers={"content-type": ASKED}
            ).raise_for_status()
        try:
            told = rfc3161.decode_timestamp_response(answer.content)
            granted = rfc3161.PKIStatus(told.status) == rfc3161.PKIStatus.GRANTED
            of_this = told.tst_info.message_imprint.message == sha256(message).digest()
            good = granted and of_this and told.tst_info.nonce == request.nonce
        except ValueError:
            good = False
        if not good:
            raise Refused(
                "malformed_input",
                "What the authority answered is no time stamp of the checkpoint.",
                next_step="It is asked again with the next checkpoint.",
            )
        return answer.content
