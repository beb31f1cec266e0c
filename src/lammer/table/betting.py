"""Bets: opening, placing, withdrawing, refusing what is too much, closing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from lammer.game.money import LARGEST, Amount
from lammer.game.settlement import must_pay_evenly
from lammer.rulebook.refusal import Refused, Term
from lammer.rulebook.vocabulary import Side, opposite
from lammer.table import commands as c, events as e
from lammer.table.limits import (
    Reduction,
    Stake,
    differential,
    heavier_side,
    pro_rata,
    reduce_by_excess,
    reduce_to_maximum,
    room,
)
from lammer.table.roles import must_act_for, must_be, must_be_between_rounds, must_decide
from lammer.table.seating import must_be_in_force, must_have_box
from lammer.table.state import Round, Table


def open_bets(table: Table, call: c.Call, command: c.OpenBets) -> Iterator[e.Event]:
    must_be(call, "dealer", table.cite("open_bets"))
    must_be_between_rounds(table)
    if table.shoe is None:
        raise Refused("no_shoe", "There is no shoe to deal from.", next_step="Prepare a shoe first.")
    must_be_in_force(table, table.book, call, table.out_of_force)
    if table.last_of_shoe:
        raise Refused(
            "shoe_is_over",
            "This shoe has had its last round.",
            table.cite("cut_card" if table.shoe.cut_shown else "simultaneous_cards"),
            next_step="End the shoe and prepare a new one.",
        )
    for player in sorted(table.walked):
        if player in table.seats:
            yield e.SeatLeft(player, table.seats[player])
    yield e.BettingOpened(table.rounds + 1, table.set_ups)


def require_betting(table: Table, behaviour: str = "close_bets") -> Round:
    """The round whose betting is open, or `bets_are_closed`."""
    this_round = table.require_round()
    table.must_not_be_interrupted()
    if this_round.phase != "betting":
        raise Refused(
            "bets_are_closed",
            'Bets are closed for round {round}: "No more Bets" was called.',
            table.cite(behaviour),
            next_step="The next round opens after settlement.",
            round=this_round.number,
        )
    return this_round


def place_bet(table: Table, call: c.Call, command: c.PlaceBet) -> Iterator[e.Event]:
    this_round = require_betting(table)
    table.must_mean_this_round(command.round)
    bet = table.book.offer(table.layout, command.bet)
    must_act_for(table, call, command.player)
    must_be_stake(command)
    seated = _is_seated(table, this_round, command)
    key = this_round.by_place.get((command.player, command.box, command.bet))
    before = this_round.bets[key].stake if key is not None else 0
    must_pay_evenly(table.book, before + command.stake, bet.pays, bet.title, table.require_setup().readings)
    warning = _check_limits(table, command, before + command.stake)
    if bet.original is not None:
        reductions, excess_warning = _make_room(table, this_round, command, bet.original, seated)
        yield from reductions
        warning = warning or excess_warning
    if key is None:
        yield e.BetPlaced(
            table.keys + 1, command.player, command.box, command.bet, command.stake, seated, call.by, warning
        )
    else:
        yield e.BetIncreased(key, command.player, command.stake, call.by, warning)


def must_be_stake(command: c.PlaceBet | c.PlaceInsurance) -> None:
    """Refuse a stake of nothing, or of more than any table takes."""
    if not 0 < command.stake <= LARGEST:
        raise Refused(
            "not_an_amount",
            "{player}'s stake is {stake}.",
            player=command.player,
            stake=Amount(command.stake),
        )


def _is_seated(table: Table, this_round: Round, command: c.PlaceBet) -> bool:
    """Whether the player sits at the box; a standing player needs a seated one who has bet there."""
    must_have_box(table, command.box)
    sitting = table.boxes.get(command.box)
    if sitting == command.player and sitting not in table.walked:
        return True
    if sitting is None or sitting in table.walked:
        raise Refused(
            "no_seated_player",
            "Nobody sits at box {box}.",
            table.cite("seated_player"),
            next_step="Take the seat first.",
            box=command.box,
        )
    if not this_round.live_in_box[command.box, sitting]:
        raise Refused(
            "seated_player_first",
            "The player who sits at box {box} has not bet yet.",
            table.cite("standing_player"),
            next_step="Bet after they have.",
            box=command.box,
        )
    return False


def _check_limits(table: Table, command: c.PlaceBet, stake: int) -> str:
    limits = table.require_setup().limit(table.book, command.bet)
    if limits.maximum and stake > limits.maximum:
        if not table.require_setup().strict:
            return "above_maximum"
        raise Refused(
            "above_maximum",
            "{stake} on {bet} is above the maximum of {maximum}.",
            table.cite("bet_within_limits"),
            next_step="Up to {maximum} may be bet.",
            stake=Amount(stake),
            bet=command.bet,
            maximum=Amount(limits.maximum),
        )
    if stake >= limits.minimum:
        return ""
    if table.require_setup().strict:
        raise Refused(
            "below_minimum",
            "{stake} on {bet} is below the minimum of {minimum}.",
            table.cite("below_minimum"),
            next_step="Bet at least {minimum}.",
            stake=Amount(stake),
            bet=command.bet,
            minimum=Amount(limits.minimum),
        )
    return "below_minimum"


def _make_room(
    table: Table, this_round: Round, command: c.PlaceBet, side: Side, seated: bool
) -> tuple[list[e.Event], str]:
    """What has to give way for this bet, and the warning to record; or `over_differential`."""
    box, most = command.box, table.require_setup().differential
    player, banker = this_round.sides.get((box, "player"), 0), this_round.sides.get((box, "banker"), 0)
    free = room(player, banker, side, most)
    if command.stake <= free:
        return [], ""
    if not table.require_setup().strict:
        return [], "over_differential"
    needed = command.stake - free
    standing = [chip for chip in chips(table, this_round, box) if chip.side == side and not chip.seated]
    if not seated or sum(chip.amount for chip in standing) < needed:
        other = opposite(side)
        raise Refused(
            "over_differential",
            "Box {box} may take {free} more on {side}: its sides may differ by {most}.",
            table.cite("excess_differential"),
            next_step="Up to {free_there} on {other} is free.",
            box=box,
            free=Amount(free),
            side=Term(side),
            most=Amount(most),
            free_there=Amount(room(player, banker, other, most)),
            other=Term(other),
        )
    reductions = reduce_by_excess(standing, needed, _minimums(table, this_round, standing))
    return [_bet_reduced(table, reduction, "a seated player comes first") for reduction in reductions], ""


def chips(table: Table, this_round: Round, box: int) -> list[Stake]:
    """The Original Bets of a box in the parts they were put down in, each as late as itself."""
    return [
        Stake(turn, bet.player, side, amount, bet.seated, bet.key)
        for bet in this_round.bets.values()
        if bet.box == box and (side := table.book.bets[bet.bet].original) is not None
        for turn, amount in bet.chips
    ]


def _minimums(table: Table, this_round: Round, stakes: Iterable[Stake]) -> dict[int, int]:
    keys = {stake.bet for stake in stakes}
    return {key: table.require_setup().limit(table.book, this_round.bets[key].bet).minimum for key in keys}


def _bet_reduced(table: Table, reduction: Reduction, because: str) -> e.BetReduced:
    paragraph = table.paragraph("excess_differential")
    return e.BetReduced(reduction.key, reduction.player, reduction.amount_removed, because, paragraph)


def withdraw_bet(table: Table, call: c.Call, command: c.WithdrawBet) -> Iterator[e.Event]:
    this_round = table.require_round()
    must_act_for(table, call, command.player)
    table.must_mean_this_round(command.round)
    table.must_not_be_interrupted()
    if this_round.phase != "betting" and not this_round.withdrawal:
        if this_round.cut_first and this_round.cards:
            raise Refused(
                "bets_are_closed",
                "A card has been dealt; bets can no longer be withdrawn.",
                table.cite("withdrawal_too_late"),
            )
        require_betting(table, "late_bet")
    key = this_round.by_place.get((command.player, command.box, command.bet))
    if key is None:
        raise Refused(
            "no_such_bet",
            "{player} has no {bet} bet in box {box}.",
            player=command.player,
            bet=command.bet,
            box=command.box,
        )
    bet = this_round.bets[key]
    amount = command.stake or bet.stake
    if not 0 < amount <= bet.stake:
        raise Refused(
            "not_an_amount",
            "{player} has {stake} there, not {amount}.",
            player=command.player,
            stake=Amount(bet.stake),
            amount=Amount(amount),
        )
    if bet.stake > amount:
        offered = table.book.bets[bet.bet]
        must_pay_evenly(
            table.book, bet.stake - amount, offered.pays, offered.title, table.require_setup().readings
        )
    limits = table.require_setup().limit(table.book, bet.bet)
    if table.require_setup().strict and 0 < bet.stake - amount < limits.minimum:
        raise Refused(
            "below_minimum",
            "{rest} would stay, below the minimum of {minimum}.",
            table.cite("below_minimum"),
            next_step="Withdraw all of it, or leave the minimum.",
            rest=Amount(bet.stake - amount),
            minimum=Amount(limits.minimum),
        )
    short = bet.stake < limits.minimum
    behaviour = "cut_card_first" if this_round.withdrawal else "below_minimum" if short else "open_bets"
    yield e.BetReduced(key, bet.player, amount, "withdrawn", table.paragraph(behaviour))
    alone = this_round.live_in_box[bet.box, bet.player] == 1 and amount == bet.stake
    if this_round.phase == "betting" and bet.seated and alone:
        # Standing players bet in a seated player's box; before the close theirs have no box without that bet.
        for other in this_round.bets.values():
            if other.box == bet.box and not other.seated:
                paragraph = table.paragraph("standing_player")
                yield e.BetReduced(
                    other.key, other.player, other.stake, "the seated player withdrew", paragraph
                )


def stakes(table: Table, this_round: Round, gone: Collection[int] = ()) -> dict[int, list[Stake]]:
    """The Original Bets of each box, without those that are just going back."""
    stakes_by_box: dict[int, list[Stake]] = {}
    for bet in this_round.bets.values():
        side = table.book.bets[bet.bet].original
        if side is not None and bet.key not in gone:
            stakes_by_box.setdefault(bet.box, []).append(
                Stake(bet.key, bet.player, side, bet.stake, bet.seated)
            )
    return stakes_by_box


def refuse_excess(table: Table, call: c.Call, command: c.RefuseExcess) -> Iterator[e.Event]:
    this_round = require_betting(table)
    must_decide(table, call, "excess_differential", "refuse_excess")
    refused = list(_excess(table, this_round))
    if not refused:
        raise Refused(
            "within_differential",
            "No box exceeds the maximum Differential.",
            table.cite("excess_differential"),
        )
    yield from refused


def _excess(table: Table, this_round: Round) -> Iterator[e.BetReduced]:
    most = table.require_setup().differential
    for box, placed in stakes(table, this_round).items():
        if differential(placed) > most:
            parts = chips(table, this_round, box)
            for reduction in reduce_to_maximum(parts, most, _minimums(table, this_round, parts)):
                yield _bet_reduced(table, reduction, "beyond the maximum Differential")


def close_bets(table: Table, call: c.Call, command: c.CloseBets) -> Iterator[e.Event]:
    this_round = require_betting(table)
    must_be(call, "dealer", table.cite("close_bets"))
    yield from betting_closed(table, this_round)


def betting_closed(table: Table, this_round: Round) -> Iterator[e.Event]:
    """The betting closes: what a strict table refuses, what plays although it is small, what is cut."""
    if table.require_setup().strict:
        # A withdrawal from the lighter side may have left the heavier one beyond the maximum.
        yield from _excess(table, this_round)
    setup = table.require_setup()
    minimums = {
        name: setup.limit(table.book, name).minimum for name in {bet.bet for bet in this_round.bets.values()}
    }
    below = tuple(bet.key for bet in this_round.bets.values() if bet.stake < minimums[bet.bet])
    yield e.BettingClosed(this_round.number, below)
    if not table.require_setup().strict:
        yield from cut_pro_rata(table, this_round)


def cut_pro_rata(table: Table, this_round: Round, gone: Collection[int] = ()) -> Iterator[e.Event]:
    """Every box beyond the Differential cut pro rata, by the minimum of the bet that is cut."""
    cite = table.book.irregularities["excess_differential"].paragraph("cut_pro_rata")
    for placed in stakes(table, this_round, gone).values():
        side = heavier_side(placed)
        if side is None:
            continue
        minimum = max(
            table.require_setup().limit(table.book, this_round.bets[stake.key].bet).minimum
            for stake in placed
            if stake.side == side
        )
        for cut in pro_rata(placed, minimum, table.require_setup().differential):
            if cut.returned:
                yield e.BetCut(cut.key, cut.player, cut.played, cut.returned, cite)
