"""The door: how somebody comes in, in the right order.

First whether he has to wait, then the password, then the session; every "no" is taken down. Passwords are
slow and the record is durable, so each call here takes its time: an event loop asks from a worker thread.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from datetime import timedelta
from time import monotonic

from lammer.floor.accounts import Account, Accounts, SignInFailed
from lammer.floor.api_keys import ApiKeys
from lammer.floor.denials import Denials
from lammer.floor.grants import Grants
from lammer.floor.links import Links
from lammer.floor.passwords import Passwords
from lammer.floor.sessions import ABSOLUTE, IDLE, Session, Sessions
from lammer.floor.steady import Now, Ticks, utc_now
from lammer.floor.store.contract import Store, StoreUnavailable
from lammer.floor.throttle import Throttle, TooManyAttempts
from lammer.rulebook.refusal import Refused


class Door:
    """Everything about coming in, over one store; whoever opens it closes it before the store."""

    def __init__(
        self,
        store: Store,
        now: Now = utc_now,
        *,
        idle: timedelta = IDLE,
        absolute: timedelta = ABSOLUTE,
        passwords: Passwords | None = None,
        ticks: Ticks = monotonic,
        words: Collection[str] = (),
    ) -> None:
        self.accounts = Accounts(store, now, passwords, words)
        self.links = Links(store, now, keeper=self.accounts, ticks=ticks)
        self.grants = Grants(store, self.accounts, self.links, now)
        self.sessions = Sessions(store, now, idle, absolute, ticks=ticks)
        self.keys = ApiKeys(store, now, ticks=ticks)
        self.throttle = Throttle(store, now, ticks=ticks)
        self.denials = Denials(store, now)
        self.accounts.follow(self.sessions.forget)

    def sign_in(self, name: str, password: str, address: str) -> tuple[str, Session]:
        """By name and password. Nothing is compared while one has to wait, not even the right password."""
        account = self._prove("sign_in", name, address, lambda: self.accounts.check(name, password))
        return self.sessions.start(account, address)

    def sign_in_by_link(self, token: str, address: str, password: str | None = None) -> tuple[str, Session]:
        """By a link, choosing a new password or not. A link waits for nobody: it cannot be guessed."""
        try:
            account = self.links.redeem(token, password)
        except Refused as refused:
            if refused.code == "link_not_valid":
                self.denials.note("sign_in_by_link", refused.code, address=address)
            raise
        self.throttle.known(account.name, address)
        return self.sessions.start(account, address)

    def change_password(self, session: Session, old: str, new: str, address: str) -> tuple[str, Session]:
        """By the old one; every session of the account ends, and this is the new one."""
        name = session.account.name
        account = self._prove(
            "change_password", name, address, lambda: self.accounts.set_password(name, new, old=old)
        )
        return self.sessions.start(account, address)

    def close(self) -> None:
        """Write down what is still in memory."""
        try:
            self.sessions.flush()
        finally:
            self.denials.close()

    def _prove(self, what: str, name: str, address: str, proof: Callable[[], Account]) -> Account:
        """Let somebody show who he is, counting the attempt before it is looked at."""
        try:
            told = self.throttle.must_wait(name, address)
        except TooManyAttempts as refused:
            self._denied(what, refused, self._known(name), address)
            raise
        try:
            account = proof()
        except SignInFailed as refused:
            self._denied(what, refused, refused.account, address)
            if told:
                # Others would not have been let so far; that he was is nobody else's business.
                raise TooManyAttempts(told) from None
            raise
        except Refused as refused:
            # Too busy, a new password too weak, the record gone: nobody guessed wrong.
            with suppress(StoreUnavailable):
                self.throttle.undone(name, address, told)
            if not isinstance(refused, StoreUnavailable):
                self._denied(what, refused, self._known(name), address)
            raise
        self.throttle.succeeded(name, address, told)
        return account

    def _known(self, name: str) -> Account | None:
        try:
            return self.accounts.get(name)
        except Refused:
            return None

    def _denied(self, what: str, refused: Refused, account: Account | None, address: str) -> None:
        """Take it down; a name nobody has here may be a password typed in the wrong place, so it is not."""
        who, role = ("", "") if account is None else (account.name, account.role)
        self.denials.note(what, refused.code, who=who, role=role, address=address)
