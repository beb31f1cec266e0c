"""Before and between rounds: the set-up, the bank, players' chips, the seats, the shoe."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import datetime

from lammer.game.money import Amount
from lammer.game.shoe import shuffled
from lammer.rulebook.force import standing, superseded_by
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused, Term
from lammer.table import commands as c, events as e
from lammer.table.ledger import player as account_of
from lammer.table.mixing import mix
from lammer.table.records import BeaconRound, ShufflePart
from lammer.table.roles import must_act_for, must_be, must_be_between_rounds, title
from lammer.table.setup import must_hold
from lammer.table.shuffling import (
    beacon_come,
    must_be_closed,
    must_be_known,
    must_not_be_shuffling,
    shuffle_under_way,
)
from lammer.table.state import OVER, Shoe, Shuffle, Table

SALT_BYTES = 16
"""How many bytes of a virtual shoe's entropy become its salt."""
UNPLAYED = 2
"""So many virtual shoes in a row a dealer may end although nobody played them."""
MOST_CARDS = 6
"""What a round can take of a shoe."""


def set_table(table: Table, call: c.Call, command: c.SetTable) -> Iterator[e.Event]:
    book = table.books.get(command.setup.rulebook)
    if book is None:
        raise Refused(
            "unknown_rulebook", "There is no rulebook {rulebook} here.", rulebook=repr(command.setup.rulebook)
        )
    must_be(call, "pit_manager", None)
    if table.setup is not None:
        must_be_between_rounds(table)
        must_not_be_shuffling(table)
        if table.shoe is not None and (
            (command.setup.decks, command.setup.shoe, book.cards.ranks)
            != (table.require_setup().decks, table.require_setup().shoe, table.book.cards.ranks)
        ):
            raise Refused("shoe_in_use", "The shoe changes with the decks.", next_step="End the shoe first.")
        if table.seats and (command.setup.rulebook, command.setup.layout) != (
            table.require_setup().rulebook,
            table.require_setup().layout,
        ):
            raise Refused(
                "box_is_taken", "Players are seated at this layout.", next_step="Clear the seats first."
            )
    must_hold(book, command.setup)
    reason = command.reason.strip()
    must_be_in_force(table, book, call, reason)
    boxes = command.setup.boxes or book.layout(command.setup.layout).most
    if outside := [player for player, box in table.seats.items() if box > boxes]:
        raise Refused(
            "box_is_taken",
            "{players} would sit at a box that is no more.",
            book.boxes_cite,
            next_step="Clear those seats first.",
            players=", ".join(outside),
        )
    out_of_force = reason if not _is_in_force(table, book, call.at) else ""
    yield e.TableSet(command.setup, book.sha256, out_of_force)


def must_be_in_force(table: Table, book: Rulebook, call: c.Call, reason: str) -> None:
    """Refuse a rulebook that is not in force at this moment, unless somebody high enough says why.

    Betting opens under a reason that was given with the set-up; whoever gives one is a Table Game Shift
    Manager or above.
    """
    if _is_in_force(table, book, call.at):
        return
    how = standing(table.books.values(), book, call.at)
    if not reason:
        raise Refused(
            "not_in_force",
            "{rulebook} is not in force: {how}.",
            book.identity,
            next_step="Choose the version in force, or let a Table Game Shift Manager give a reason.",
            rulebook=book.id,
            how=how,
        )
    if isinstance(call.command, c.SetTable):
        must_be(call, "table_game_shift_manager", book.identity)


def _is_in_force(table: Table, book: Rulebook, at: datetime) -> bool:
    """Whether a rulebook holds at a moment, among those this table knows."""
    later = superseded_by(table.books.values(), book)
    return book.in_force_from <= at and (later is None or at < later.in_force_from)


def fill_bank(table: Table, call: c.Call, command: c.FillBank) -> Iterator[e.Event]:
    must_be(call, "pit_supervisor", None)
    _must_be_amount(command.amount)
    yield e.BankFilled(command.amount)


def credit_bank(table: Table, call: c.Call, command: c.CreditBank) -> Iterator[e.Event]:
    must_be(call, "pit_supervisor", None)
    _must_be_amount(command.amount)
    balance = table.accounts.get("bank", 0)
    if command.amount > balance:
        raise Refused(
            "not_an_amount",
            "The bank holds {holds}, not {amount}.",
            holds=Amount(balance),
            amount=Amount(command.amount),
        )
    yield e.BankCredited(command.amount)


def _must_be_amount(cents: int) -> None:
    if cents <= 0:
        raise Refused("not_an_amount", "{cents} cents is not an amount.", cents=cents)


def bring_chips(table: Table, call: c.Call, command: c.BringChips) -> Iterator[e.Event]:
    must_act_for(table, call, command.player)
    _must_be_amount(command.amount)
    yield e.ChipsBrought(command.player, command.amount)


def take_chips(table: Table, call: c.Call, command: c.TakeChips) -> Iterator[e.Event]:
    must_act_for(table, call, command.player)
    _must_be_amount(command.amount)
    balance = table.accounts.get(account_of(command.player), 0)
    if command.amount > balance:
        raise Refused(
            "not_enough_chips",
            "{player} has {has} at this table and takes {amount} away.",
            next_step="Take away what is there; what lies on the felt comes back when the round is settled.",
            player=command.player,
            has=Amount(balance),
            amount=Amount(command.amount),
        )
    yield e.ChipsTaken(command.player, command.amount)


def take_seat(table: Table, call: c.Call, command: c.TakeSeat) -> Iterator[e.Event]:
    must_act_for(table, call, command.player)
    must_have_box(table, command.box)
    if command.box in table.boxes:
        raise Refused(
            "box_is_taken",
            "Box {box} is taken.",
            table.cite("seated_player"),
            next_step="Choose a free box, or stand behind this one.",
            box=command.box,
        )
    if command.player in table.seats:
        raise Refused(
            "already_seated",
            "{player} sits at box {box}.",
            table.cite("seated_player"),
            next_step="Leave that seat first.",
            player=command.player,
            box=table.seats[command.player],
        )
    yield e.SeatTaken(command.player, command.box)


def must_have_box(table: Table, box: int) -> None:
    """Refuse the number of a box that is not at the table."""
    if not 1 <= box <= table.box_count:
        raise Refused(
            "no_such_box",
            "This table has boxes 1 to {boxes}, not {box}.",
            table.book.boxes_cite,
            boxes=table.box_count,
            box=box,
        )


def leave_seat(table: Table, call: c.Call, command: c.LeaveSeat) -> Iterator[e.Event]:
    must_act_for(table, call, command.player)
    this_round = table.round
    betting = (
        this_round is not None and this_round.phase not in OVER and command.player in this_round.players()
    )
    if command.player not in table.seats and not betting:
        raise Refused(
            "not_seated", "{player} has no seat.", table.cite("seated_player"), player=command.player
        )
    if betting:
        yield e.WalkedAway(command.player, table.paragraph("walked_away"))
    elif command.player in table.seats:
        yield e.SeatLeft(command.player, table.seats[command.player])


def allow_staff_bets(table: Table, call: c.Call, command: c.AllowStaffBets) -> Iterator[e.Event]:
    must_act_for(table, call, command.player)
    if call.role != "player":
        # Whoever could give themselves the leave would need none.
        raise Refused(
            "not_your_role",
            "{role} {by} may not do this; {player} alone allows it.",
            table.cite("bet_by_staff"),
            next_step="Ask {player}.",
            role=Term(title(call.role)),
            by=call.by,
            player=command.player,
        )
    if command.allowed != (command.player in table.staff_bets):
        yield e.StaffBetsAllowed(command.player, command.allowed)


def prepare_shoe(table: Table, call: c.Call, command: c.PrepareShoe) -> Iterator[e.Event]:
    must_be(call, "dealer", None)
    must_be_between_rounds(table)
    if table.shoe is not None:
        raise Refused("shoe_in_use", "A shoe is in use.", next_step="End it first.")
    if table.shuffle is None:
        yield new_shoe(table, command.entropy)
    else:
        yield shared_shoe(table, table.shuffle, call, command)


def shared_shoe(table: Table, shuffle: Shuffle, call: c.Call, command: c.PrepareShoe) -> e.ShoePrepared:
    """The shoe of a shuffle that was begun: mixed of all its parts once everybody could add theirs."""
    if command.entropy:
        raise shuffle_under_way(shuffle)
    must_be_known(shuffle)
    must_be_closed(shuffle, call)
    beacon, parts = beacon_come(shuffle, call, command), shuffle.in_order()
    setup = table.require_setup()
    order, salt = mixed_order(table, shuffle.shoe, shuffle.entropy, parts, beacon)
    return e.ShoePrepared(
        shuffle.shoe, "virtual", setup.decks, setup.cut, commitment(order, salt), order, salt,
        shuffle.commitment, parts, beacon,
    )  # fmt: skip


def mixed_order(
    table: Table, shoe: int, entropy: str, parts: tuple[ShufflePart, ...], beacon: BeaconRound | None
) -> tuple[tuple[str, ...], str]:
    """The order, and the salt, that the parts of a shared shuffle come to at this table."""
    decks = table.require_setup().decks
    return shuffle_deck(table, EntropyReader(mix(entropy_for(decks), shoe, decks, entropy, parts, beacon)))


def shuffle_deck(table: Table, numbers: EntropyReader) -> tuple[tuple[str, ...], str]:
    """An order of the table's decks, and a salt, from numbers."""
    order = tuple(
        str(card) for card in shuffled(table.book, table.require_setup().decks, numbers.below).cards
    )
    return order, numbers.take(SALT_BYTES).hex()


def new_shoe(table: Table, entropy: str) -> e.ShoePrepared:
    """A shoe as the set-up wants it; a virtual one is shuffled from the entropy and committed to.

    With `entropy_for` bytes or more every number of the shuffle is the entropy's own; fewer are stretched.
    """
    setup = table.require_setup()
    number = table.shoes + 1
    if setup.shoe == "read":
        return e.ShoePrepared(number, "read", setup.decks, setup.cut, "", (), "")
    try:
        seed = bytes.fromhex(entropy)
    except ValueError:
        seed = b""
    if len(seed) < 16:
        raise Refused(
            "malformed_input",
            "A virtual shoe needs at least 16 bytes of entropy, in hexadecimal.",
            next_step="Hand in fresh random bytes.",
        )
    numbers = EntropyReader(seed) if len(seed) >= entropy_for(setup.decks) else StretchedReader(seed)
    order, salt = shuffle_deck(table, numbers)
    return e.ShoePrepared(number, "virtual", setup.decks, setup.cut, commitment(order, salt), order, salt)


def commitment(order: tuple[str, ...], salt: str) -> str:
    """The SHA-256 that binds a virtual shoe to its order before the first card.

    >>> commitment(("AS", "KD"), "00")[:16]
    '9392d9aca094c2ba'
    """
    return hashlib.sha256(f"{salt}:{' '.join(order)}".encode()).hexdigest()


def entropy_for(decks: int) -> int:
    """The bytes a shoe is shuffled from without stretching any: two a card, one more to spare, and the salt.

    >>> entropy_for(8)
    1264
    """
    return 52 * decks * 3 + SALT_BYTES


class EntropyReader:
    """Numbers straight from the entropy handed in: each byte is used once or thrown away, none is made up.

    >>> EntropyReader(bytes.fromhex("ffff 0005")).below(52)
    5
    """

    def __init__(self, entropy: bytes) -> None:
        self.entropy, self.used = entropy, 0

    def take(self, count: int) -> bytes:
        chunk = self.entropy[self.used : self.used + count]
        if len(chunk) < count:
            raise Refused(
                "malformed_input",
                "{bytes} bytes of entropy were too few for this shoe; none is used twice.",
                next_step="Hand in fresh random bytes.",
                bytes=len(self.entropy),
            )
        self.used += count
        return chunk

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1, each as likely: what does not divide evenly is drawn again."""
        limit = (1 << 16) // n * n
        while (number := int.from_bytes(self.take(2), "big")) >= limit:
            pass
        return number % n


class StretchedReader(EntropyReader):
    """Numbers from a short seed, for scripts and tests: SHA-256 in counter mode. The floor never uses it."""

    def __init__(self, seed: bytes) -> None:
        super().__init__(b"")
        self.seed, self.counter = seed, 0

    def take(self, count: int) -> bytes:
        while len(self.entropy) < count:
            self.entropy += hashlib.sha256(self.seed + self.counter.to_bytes(8, "big")).digest()
            self.counter += 1
        chunk, self.entropy = self.entropy[:count], self.entropy[count:]
        return chunk


def end_shoe(table: Table, call: c.Call, command: c.EndShoe) -> Iterator[e.Event]:
    must_be(call, "dealer", None)
    must_be_between_rounds(table)
    unplayed = table.shoe is not None and shoe_is_unplayed(table, table.shoe)
    if unplayed:
        # Whoever may throw shoes away until one suits them shuffles as they like.
        if table.unplayed_in_a_row >= UNPLAYED:
            must_be(call, "pit_supervisor", table.cite("roles"))
        if not command.reason.strip():
            raise Refused(
                "reason_needed",
                "No round was settled from this shoe.",
                table.cite("round"),
                next_step="Say why it is ended all the same.",
            )
    yield shoe_ended(table, command.reason.strip(), unplayed=unplayed)


def shoe_is_unplayed(table: Table, shoe: Shoe) -> bool:
    """Whether a virtual shoe could still be played and no round was settled from it."""
    is_over = table.last_of_shoe or shoe.left + len(table.carried) < MOST_CARDS
    return shoe.kind == "virtual" and not shoe.played and not is_over


def shoe_ended(table: Table, reason: str = "", *, unplayed: bool = False) -> e.ShoeEnded:
    """The end of the shoe, which reveals the order it was bound to."""
    if table.shoe is None:
        raise Refused("no_shoe", "There is no shoe.", next_step="Prepare one.")
    shoe = table.shoe
    return e.ShoeEnded(shoe.number, shoe.commitment, shoe.order, shoe.salt, reason, unplayed, shoe.entropy)
