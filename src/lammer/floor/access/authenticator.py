"""The door: how somebody comes in, in the right order.

First whether they have to wait, then the password, then the second factor where there is one, then the
session; every "no" is taken down. Passwords are slow and the record is durable, so each call here takes its
time: an event loop asks from a worker thread.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from datetime import timedelta
from time import monotonic

from lammer.floor.access.accounts import Account, Accounts, SignInFailed
from lammer.floor.access.api_keys import ApiKeys
from lammer.floor.access.denials import Denials
from lammer.floor.access.factors import Factors, WrongFactor
from lammer.floor.access.grants import Grants
from lammer.floor.access.half_sign_ins import FactorNeeded, HalfSignIns
from lammer.floor.access.links import Links
from lammer.floor.access.passkeys import Party
from lammer.floor.access.passwords import Passwords
from lammer.floor.access.sessions import ABSOLUTE, IDLE, Session, Sessions
from lammer.floor.access.throttle import Throttle, TooManyAttempts
from lammer.floor.record.contract import Store, StoreUnavailable
from lammer.floor.record.monotonic_clock import Now, Ticks, utc_now
from lammer.floor.settings import SecondFactorMode
from lammer.rulebook.refusal import Refused


class Authenticator:
    """Everything about coming in, over one store; whoever opens it closes it before the store.

    `second_factor` says whether second factors count in this house; who must have one is not decided here.
    """

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
        second_factor: SecondFactorMode = "optional",
    ) -> None:
        self.accounts = Accounts(store, now, passwords, words)
        self.links = Links(store, now, keeper=self.accounts, ticks=ticks)
        self.grants = Grants(store, self.accounts, self.links, now)
        self.sessions = Sessions(store, now, idle, absolute, ticks=ticks)
        self.keys = ApiKeys(store, now, ticks=ticks)
        self.throttle = Throttle(store, now, ticks=ticks)
        self.denials = Denials(store, now)
        self.accounts.follow(self.sessions.forget)
        count = second_factor != "off"
        self.factors = Factors(store, now, ticks=ticks, ended=self.accounts.tell_changed, count=count)
        self.half_sign_ins = HalfSignIns(store, now, ticks=ticks)

    def sign_in(self, name: str, password: str, address: str, code: str = "") -> tuple[str, Session]:
        """By name and password. Nothing is compared while one has to wait, not even the right password.

        Who has a second factor gives a code of it too, or is told `FactorNeeded` and goes on with `go_on`.
        """
        account = self._prove(
            "sign_in", name, address, lambda: self.accounts.check(name, password), half=True
        )
        return self._after_first_half(account, address, code)

    def sign_in_by_link(
        self, token: str, address: str, password: str | None = None, code: str = ""
    ) -> tuple[str, Session]:
        """By a link, choosing a new password or not. A link waits for nobody: it cannot be guessed.

        It is the first half only, as a password is: a second factor is asked for all the same.
        """
        try:
            taken = self.links.take(token, password, factors=self.factors.count)
        except Refused as refused:
            if refused.code == "link_not_valid":
                self.denials.note("sign_in_by_link", refused.code, address=address)
            raise
        if not self._needs_factor(taken.account):
            self.throttle.mark_known(taken.account.name, address)
        return self._after_first_half(taken.account, address, code, taken.waits)

    def go_on(
        self, half: str, address: str, *, code: str = "", passkey: str = "", party: Party | None = None
    ) -> tuple[str, Session]:
        """The second half, which opens the session: a code, a recovery code, or what a passkey says."""
        account = self.half_sign_ins.look(half).account

        def proof() -> Account:
            on_the_way = self.half_sign_ins.take(half)
            if passkey:
                self.factors.take_passkey(on_the_way.account, party, on_the_way.challenge, passkey)
            else:
                self.factors.take_code(on_the_way.account, code)
            return on_the_way.account

        account = self._prove("second_factor", account.name, address, proof)
        if self.half_sign_ins.finish(half):
            self.accounts.tell_changed(account.name)
        return self.sessions.start(account, address)

    def confirm(self, session: Session, password: str, address: str) -> None:
        """Somebody who is in shows the password again, before a second factor of theirs changes."""
        if not self.factors.count:
            raise Refused(
                "second_factor_off",
                "This house uses no second factor.",
                next_step="LAMMER_SECOND_FACTOR turns it on.",
            )
        name = session.account.name
        self._prove("confirm", name, address, lambda: self.accounts.confirm(name, password))

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

    def _needs_factor(self, account: Account) -> bool:
        return self.factors.count and self.factors.of(account.name).any

    def _after_first_half(
        self, account: Account, address: str, code: str, waits: str | None = None
    ) -> tuple[str, Session]:
        """The first half is shown: in, if it is the whole; otherwise on with the second."""
        if not self._needs_factor(account):
            return self.sessions.start(account, address, without_factor=self.factors.count)
        half = self.half_sign_ins.start(account, waits)
        if not code:
            raise FactorNeeded(half)
        try:
            return self.go_on(half, address, code=code)
        except Refused:
            self.half_sign_ins.drop(half)
            raise

    def _prove(
        self, what: str, name: str, address: str, proof: Callable[[], Account], *, half: bool = False
    ) -> Account:
        """Let somebody show who they are, counting the attempt before it is looked at.

        One `half` of a sign-in forgives nothing: a known password must not buy new tries at codes.
        """
        try:
            stated_wait = self.throttle.must_wait(name, address)
        except TooManyAttempts as refused:
            self._note_denial(what, refused, self._account_or_none(name), address)
            raise
        try:
            account = proof()
        except (SignInFailed, WrongFactor) as refused:
            self._note_denial(what, refused, refused.account, address)
            if stated_wait:
                # Others would have had to wait; the answer must not show that this person may try.
                raise TooManyAttempts(stated_wait) from None
            raise
        except Refused as refused:
            # Too busy, a new password too weak, the record gone: nobody guessed wrong.
            with suppress(StoreUnavailable):
                self.throttle.take_back(name, address, stated_wait)
            if not isinstance(refused, StoreUnavailable):
                self._note_denial(what, refused, self._account_or_none(name), address)
            raise
        if half and self._needs_factor(account):
            self.throttle.take_back(name, address, stated_wait)
        else:
            self.throttle.succeeded(name, address, stated_wait)
        return account

    def _account_or_none(self, name: str) -> Account | None:
        try:
            return self.accounts.get(name)
        except Refused:
            return None

    def _note_denial(self, what: str, refused: Refused, account: Account | None, address: str) -> None:
        """Take it down; a name nobody has here may be a password typed in the wrong place, so it is not."""
        who, role = ("", "") if account is None else (account.name, account.role)
        self.denials.note(what, refused.code, who=who, role=role, address=address)
