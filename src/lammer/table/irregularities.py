"""What goes wrong during a round, one operation for each paragraph that provides for it.

Each knows who may call it, whether it applies now, and what it must offer: the players' options where the
document gives them, while or although an outcome stands, as it says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from lammer.game.bets import Verdict
from lammer.game.cards import Card, parse_cards
from lammer.game.conclusive import Standing
from lammer.game.drawing import FIRST_CARDS
from lammer.rulebook.model import Irregularity
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import SIDES, Side, opposite
from lammer.table import commands as c, events as e
from lammer.table.betting import betting_closed, cut_pro_rata
from lammer.table.dealing import (
    cards_misplaced,
    carried_card_first,
    cut_card_shown,
    fresh_card,
    must_have_its_shoe,
    must_have_noted_face_up,
    must_wait_for_nobody,
    possible_next_hands,
    require_dealing,
    times_seen,
)
from lammer.table.ending import is_side_bet, judge_decided, paid_line, round_result, round_voided
from lammer.table.insuring import window_after, window_passed
from lammer.table.records import LaidCard, Returned
from lammer.table.roles import irregularity, is_at_least, must_act_for, must_be, must_decide
from lammer.table.state import OVER, Insured, Laid, OutcomeNow, Placed, Round, Table


def offer_options(
    table: Table, this_round: Round, name: str, outcome: OutcomeNow, put_right: bool
) -> Iterator[e.Event]:
    """The players' options, if this irregularity gives them now; never once the round was settled."""
    rule_options = irregularity(table, name).options
    players = tuple(this_round.players())
    if (
        rule_options is not None
        and players
        and not table.is_over(this_round)
        and options_due(rule_options[0], outcome, put_right=put_right)
    ):
        error = irregularity(table, "dealing_error").cite.paragraph
        cites = tuple(dict.fromkeys((rule_options[1].paragraph, error)))
        yield e.OptionsOffered(players, name, put_right, cites)


def options_due(when: str, outcome: OutcomeNow, *, put_right: bool) -> bool:
    """Whether the document gives the players options now."""
    return {
        "always": True,
        "order_unknown": True,
        "no_outcome": not outcome.established,
        "no_outcome_or_not_put_right": not (outcome.established and put_right),
        "no_outcome_or_cannot_be_put_right": not (outcome.established and put_right),
    }[when]


def consequences(table: Table) -> dict[str, str]:
    """What each irregularity would lead to if it happened now, in a word or two."""
    outcome = table.outcome()
    results = {}
    for name, rule in table.book.irregularities.items():
        if name == "technical_interruption":
            results[name] = "conclude" if outcome.established else "void"
        elif rule.options is not None:
            due = options_due(rule.options[0], outcome, put_right=True)
            results[name] = "options" if due else "no options"
    return results


def show_cut_card(table: Table, call: c.Call, command: c.ShowCutCard) -> Iterator[e.Event]:
    this_round = table.require_round()
    must_be(call, "dealer", table.cite("cut_card"))
    if this_round.phase == "dealing":
        require_dealing(table)
    table.must_not_be_interrupted()
    if table.shoe is not None and table.shoe.kind == "virtual":
        raise Refused(
            "card_comes_from_shoe", "A virtual shoe shows its cut card itself.", table.cite("cut_card")
        )
    must_have_its_shoe(table, this_round)
    if table.shoe is not None and table.shoe.cut_shown:
        raise Refused(
            "shoe_is_over", "The cut card of this shoe has appeared already.", table.cite("cut_card")
        )
    yield cut_card_shown(table, this_round)


def close_withdrawal(table: Table, call: c.Call, command: c.CloseWithdrawal) -> Iterator[e.Event]:
    this_round = table.require_round()
    must_be(call, "dealer", table.cite("cut_card_first"))
    table.must_not_be_interrupted()
    if not this_round.withdrawal:
        raise Refused("no_withdrawal", "No withdrawal is open.", table.cite("cut_card_first"))
    yield e.WithdrawalClosed(this_round.number)
    # A bet withdrawn from the lighter side may have left the heavier one beyond the maximum; bets are closed.
    yield from cut_pro_rata(table, this_round)
    if not this_round.players():
        yield e.RoundConcluded(this_round.number, table.paragraph("cut_card_first"))


def missed_withdrawal(table: Table, call: c.Call, command: c.MissedWithdrawal) -> Iterator[e.Event]:
    this_round = require_dealing(table)
    rule = irregularity(table, "withdrawal_not_offered")
    must_be(call, "dealer", rule.cite)
    if this_round.misplaced:
        raise cards_misplaced(table)
    if table.shoe is not None and table.shoe.kind == "virtual":
        raise Refused(
            "card_comes_from_shoe",
            "A virtual shoe shows its cut card itself, and offers the withdrawal.",
            rule.cite,
        )
    shown_before = table.shoe is not None and table.shoe.cut_shown and not this_round.cut_shown
    if not (table.require_setup().high_limit and this_round.cards) or this_round.cut_first or shown_before:
        raise Refused("no_withdrawal", "No withdrawal was due, or it was offered.", rule.cite)
    if not this_round.cut_shown:
        # The dealer took the cut card away and dealt on; that it was the first card is recorded now.
        yield e.CutCardShown(True, False, irregularity(table, "cut_card").cite.paragraph)
    yield e.IrregularityNoted(rule.name, "", rule.cite.paragraph)
    yield from offer_options(table, this_round, rule.name, table.outcome(), put_right=False)


def reconstruct(table: Table, call: c.Call, command: c.Reconstruct) -> Iterator[e.Event]:
    this_round = require_dealing(table)
    rule = irregularity(table, command.irregularity)
    cite = must_decide(table, call, command.irregularity, "reconstruct").paragraph
    if not this_round.misplaced:
        raise Refused("cards_in_order", "The cards lie where the rules send them.", rule.cite)
    laid, left = table.proper_order(this_round.cards, this_round.accepted)
    if left and rule.name != "excess_cards":
        excess = irregularity(table, "excess_cards").cite
        raise Refused(
            "cards_misplaced",
            "A card was drawn in excess or before its turn; the House decides what becomes of it.",
            excess,
            next_step="Reconstruct it as excess cards.",
        )
    if not command.possible:
        yield e.IrregularityNoted(rule.name, "cannot be reconstructed", rule.cite.paragraph)
        yield from _give_up_reconstruction(table, call, rule, left)
        return
    yield e.IrregularityNoted(rule.name, "", rule.cite.paragraph)
    yield e.CardsReconstructed(laid_cards(laid), tuple(left), cite)
    yield from offer_options(table, this_round, rule.name, table.outcome_with(laid), put_right=True)
    yield from window_after(table, this_round, laid)


def _give_up_reconstruction(
    table: Table, call: c.Call, rule: Irregularity, left: Sequence[Card]
) -> Iterator[e.Event]:
    """Cards that cannot be put right: void with a wrong number in a hand, else as they lie, with options."""
    this_round = table.require_round()
    if left or not _can_stand(table, this_round):
        wrong = irregularity(table, "wrong_number_of_cards").cite
        must_be(call, "pit_supervisor", wrong)
        yield round_voided(table, this_round, "wrong_number_of_cards", wrong.paragraph)
        return
    yield e.CardsStand(rule.cite.paragraph)
    outcome = table.outcome_with(this_round.cards)
    yield from offer_options(table, this_round, rule.name, outcome, put_right=False)
    yield from window_after(table, this_round, this_round.cards)


def _can_stand(table: Table, this_round: Round) -> bool:
    """Whether each hand has a number of cards it may have, as far as can be seen."""
    player, banker = (this_round.exposed(side) for side in SIDES)
    if len(this_round.cards) <= FIRST_CARDS:
        return max(len(player), len(banker)) <= 2
    if not all(2 <= len(hand) <= 3 for hand in (player, banker)):
        return False
    first = _certain_next_hand(table, player[:2], banker[:2])
    if first == "player":
        third = _certain_next_hand(table, player, banker[:2])
        return len(player) == 3 and (len(banker) == 2 or third == "banker")
    return first == "banker" and len(player) == 2


def _certain_next_hand(
    table: Table, player: Sequence[Card | None], banker: Sequence[Card | None]
) -> Side | None:
    """The hand that gets the next card whatever lies face down; None if none does, or nobody can tell."""
    possible = possible_next_hands(table, player, banker)
    return possible.pop() if len(possible) == 1 else None


def expose_card(table: Table, call: c.Call, command: c.ExposeCard) -> Iterator[e.Event]:
    rule = irregularity(table, "excess_cards")
    must_be(call, "dealer", rule.cite)
    this_round, shoe = table.round, table.shoe
    if shoe is None:
        raise Refused("no_shoe", "There is no shoe to take a card from.", next_step="Prepare a shoe first.")
    if shoe.kind == "virtual":
        raise Refused("card_comes_from_shoe", "A virtual shoe shows no card before it is dealt.", rule.cite)
    playing = this_round is not None and this_round.phase not in OVER
    if this_round is not None and playing:
        table.must_not_be_interrupted()
        if this_round.phase == "dealing":
            require_dealing(table)
        if this_round.misplaced:
            raise cards_misplaced(table)
        must_wait_for_nobody(table, this_round)
        must_have_its_shoe(table, this_round)
    if shoe.left <= 0:
        raise Refused("shoe_ran_dry", "The shoe has no card left.", table.cite("shoe_ran_dry"))
    card = fresh_card(table, shoe, command.card)
    yield e.IrregularityNoted(rule.name, card, rule.cite.paragraph)
    if this_round is not None and playing:
        yield from window_passed(table, this_round)
    if this_round is not None and this_round.phase == "betting":
        # Nobody bets on a card that everybody has seen.
        yield from betting_closed(table, this_round)
    yield e.CardExposed(card, rule.cite.paragraph)
    if this_round is not None and playing:
        yield from offer_options(table, this_round, rule.name, table.outcome(), put_right=True)


def note_swapped_cards(table: Table, call: c.Call, command: c.NoteSwappedCards) -> Iterator[e.Event]:
    this_round = require_dealing(table)
    rule = irregularity(table, "swapped_hands")
    must_be(call, "dealer", rule.cite)
    if this_round.setup.shoe == "virtual":
        raise Refused(
            "card_comes_from_shoe", "The cards of a virtual shoe lie where the table put them.", rule.cite
        )
    places_by_side: tuple[tuple[Side, tuple[int, ...]], ...] = (
        ("player", command.player),
        ("banker", command.banker),
    )
    swapped = [
        this_round.laid_at(side, place, rule.cite)
        for side, places in places_by_side
        for place in sorted(set(places))
    ]
    if not swapped:
        raise Refused("no_such_card", "Say which cards lie with the other hand.", rule.cite)
    cards = [
        replace(laid, hand=opposite(laid.hand)) if any(laid is other for other in swapped) else laid
        for laid in this_round.cards
    ]
    proper = is_in_order(table, cards, 0)
    yield e.CardsFound(laid_cards(cards), proper, rule.cite.paragraph)
    yield from judge_window_anew(table, this_round, cards, proper, rule.cite.paragraph)


def laid_cards(cards: Sequence[Laid]) -> tuple[LaidCard, ...]:
    """Cards where they lie, for the record."""
    return tuple(LaidCard(laid.card, laid.hand, laid.face_up, laid.dealt_up) for laid in cards)


def note_face_up(table: Table, call: c.Call, command: c.NoteFaceUp) -> Iterator[e.Event]:
    this_round = require_dealing(table)
    rule = irregularity(table, "face_up_cards")
    must_be(call, "dealer", rule.cite)
    if not this_round.setup.face_down:
        raise Refused("card_is_face_up", "Cards are dealt face up at this table.", rule.cite)
    if this_round.misplaced:
        raise cards_misplaced(table)
    if not any(laid.dealt_up for laid in this_round.cards):
        raise Refused("no_such_card", "No card was dealt face up.", rule.cite)
    yield e.IrregularityNoted(rule.name, "", rule.cite.paragraph)
    yield from offer_options(table, this_round, rule.name, table.outcome(), put_right=False)


def order_simultaneous(table: Table, call: c.Call, command: c.OrderSimultaneous) -> Iterator[e.Event]:
    this_round = require_dealing(table)
    rule = irregularity(table, "simultaneous_cards")
    must_decide(table, call, rule.name, "decide_order")
    if this_round.misplaced:
        raise cards_misplaced(table)
    must_wait_for_nobody(table, this_round)
    must_have_noted_face_up(table, this_round)
    if table.carried and table.require_setup().face_down:
        raise carried_card_first(table)
    cards = parse_cards(command.order)
    if len(cards) < 2:
        raise Refused("too_few_cards", "Two cards or more were drawn together.", rule.cite)
    if table.due(this_round.cards) is None:
        raise Refused(
            "round_is_complete",
            "No card is due, as far as can be seen; what is drawn all the same is an excess card.",
            rule.cite,
        )
    _must_be_next(table, cards)
    yield e.IrregularityNoted(rule.name, " ".join(cards), rule.cite.paragraph)
    yield from window_passed(table, this_round)
    laid: list[Laid] = list(this_round.cards)
    left: list[Card] = []
    waiting = list(table.carried)[: len(cards)]
    for card in cards:
        side = None if left else table.due(laid)
        carried = card in waiting
        if carried:
            waiting.remove(card)
        if side is None:
            left.append(card)
            side = "banker"
        face_up = not this_round.setup.face_down
        place = len([other for other in laid if other.hand == side]) + 1
        laid.append(Laid(card, side, place, face_up))
        yield e.CardDealt(card, side, place, face_up, not left, carried, rule.cite.paragraph)
    if left:
        laid = laid[: len(laid) - len(left)]
        yield e.CardsReconstructed(
            laid_cards(laid), tuple(left), irregularity(table, "excess_cards").cite.paragraph
        )
    if not (command.order_known and table.reading("simultaneous_cards") == "order_unknown"):
        yield from offer_options(table, this_round, rule.name, table.outcome_with(laid), put_right=True)
    if command.replace_shoe:
        cite = must_decide(table, call, rule.name, "replace_shoe")
        yield e.ShoeToBeReplaced(cite.paragraph)
    yield from window_after(table, this_round, laid, drawn=True)


def _must_be_next(table: Table, cards: Sequence[Card]) -> None:
    """The cards drawn together are the next ones of the shoe, in whatever order."""
    waiting = list(table.carried)[: len(cards)]
    shoe = must_have_its_shoe(table, table.require_round())
    if shoe.kind == "virtual":
        # Nor may anybody try which two come next.
        raise Refused("card_comes_from_shoe", "A virtual shoe gives one card at a time, and none together.")
    fresh_cards = Counter(cards) - Counter(Card(card) for card in waiting)
    if fresh_cards.total() != len(cards) - len(waiting):
        raise Refused(
            "impossible_card",
            "{cards} was carried over and must be among them.",
            table.cite("excess_cards"),
            cards=" ".join(waiting),
        )
    if shoe.left < fresh_cards.total():
        raise Refused("shoe_ran_dry", "The shoe has fewer cards left.", table.cite("shoe_ran_dry"))
    for card, count in fresh_cards.items():
        if times_seen(table, shoe, card) + count > shoe.decks:
            raise Refused(
                "impossible_card", "{card} cannot come again.", table.cite("foreign_card"), card=card
            )


def reset_equipment(table: Table, call: c.Call, command: c.ResetEquipment) -> Iterator[e.Event]:
    this_round = require_dealing(table)
    rule = irregularity(table, "equipment_reset")
    must_be(call, "dealer", rule.cite)
    if this_round.misplaced:
        raise cards_misplaced(table)
    yield e.IrregularityNoted(rule.name, "", rule.cite.paragraph)
    yield from offer_options(table, this_round, rule.name, table.outcome(), put_right=False)


def judge_damaged_card(table: Table, call: c.Call, command: c.JudgeDamagedCard) -> Iterator[e.Event]:
    this_round = require_dealing(table)
    cite = must_decide(table, call, "damaged_cards", "determine_card").paragraph
    rule = irregularity(table, "damaged_cards")
    if table.shoe is not None and table.shoe.kind == "virtual":
        # Nobody may say that a card it dealt was another one.
        raise Refused(
            "card_comes_from_shoe", "The cards of a virtual shoe are neither damaged nor lost.", rule.cite
        )
    laid = this_round.laid_at(command.hand, command.place, rule.cite)
    yield e.IrregularityNoted(rule.name, f"{command.hand} card {command.place}", rule.cite.paragraph)
    if not command.card:
        yield from _void_for_unknown_card(table, this_round, laid, rule)
        return
    cards, proper = with_card(table, this_round, laid, command.card)
    card = cards[this_round.cards.index(laid)].card
    yield e.CardDetermined(command.hand, command.place, card, proper, cite)
    yield from judge_window_anew(table, this_round, cards, proper, cite)


def with_card(table: Table, this_round: Round, laid: Laid, name: str) -> tuple[list[Laid], bool]:
    """The cards if this one is another, and whether all then lie where the rules send them.

    Refused if the set cannot hold one more of it, as far as can be seen.
    """
    (card,) = parse_cards([name])
    shoe = table.shoe_of(this_round)
    if shoe is not None:
        same_card = laid.face_up and laid.card == card
        if times_seen(table, shoe, card) - same_card >= shoe.decks:
            raise Refused(
                "impossible_card", "The set holds no further {card}.", table.cite("foreign_card"), card=card
            )
    cards = [replace(other, card=card) if other is laid else other for other in this_round.cards]
    return cards, is_in_order(table, cards, this_round.accepted)


def is_in_order(table: Table, cards: Sequence[Laid], accepted: int) -> bool:
    """Whether every card beyond those accepted lies where the rules send it, in the order they were drawn."""
    laid, left = table.proper_order(cards, accepted)
    return not left and all(proper.hand == actual.hand for proper, actual in zip(laid, cards, strict=True))


def judge_window_anew(
    table: Table, this_round: Round, cards: Sequence[Laid], proper: bool, cite: str
) -> Iterator[e.Event]:
    """The window as these cards have it, once one turned out to be another; nobody forgoes anything."""
    opened = list(window_after(table, this_round, cards, anew=True)) if proper else []
    if this_round.window is not None and not opened:
        yield e.WindowPassed(this_round.window, (), cite)
    yield from opened


def _void_for_unknown_card(
    table: Table, this_round: Round, laid: Laid, rule: Irregularity
) -> Iterator[e.Event]:
    """A card nobody can make out: the round is void; side bets decided without it may keep their result."""
    cite = rule.paragraph("void_round")
    yield round_voided(table, this_round, rule.name, cite)
    if table.reading("undeterminable_card") != "decided_side_bets_stand":
        return
    visible = [replace(other, face_up=False) if other is laid else other for other in this_round.cards]
    cards = table.proper_order(visible, this_round.accepted)[0] if this_round.misplaced else visible
    bet_standings = table.outcome_with(cards).standings
    kept = [
        bet
        for bet in this_round.bets.values()
        if is_side_bet(table, bet)
        and (
            bet_standings[bet.bet] == "lost"
            or (bet_standings[bet.bet] == "won" and _pays_one_rate(table, bet))
        )
    ]
    if kept:
        result = round_result(table, this_round)
        returned_lines = tuple(paid_line(bet, Verdict("returned", None, None, (rule.cite,))) for bet in kept)
        lines = tuple(
            paid_line(bet, judge_decided(table, bet, bet_standings[bet.bet], result)) for bet in kept
        )
        hands = tuple(result.player.cards), tuple(result.banker.cards)
        yield e.RoundCorrected(
            this_round.number, rule.name, True, *hands, "", 0, returned_lines, lines, (cite,), "",
            table.book.id,
        )  # fmt: skip


def _pays_one_rate(table: Table, bet: Placed) -> bool:
    """Whether a bet pays the same however it is won, and not by a card that nobody can make out."""
    return len(table.book.bets[bet.bet].pays) == 1


def note_dealing_error(table: Table, call: c.Call, command: c.NoteDealingError) -> Iterator[e.Event]:
    this_round = require_dealing(table)
    rule = irregularity(table, "dealing_error")
    must_be(call, "dealer", rule.cite)
    if not command.what.strip():
        raise Refused("reason_needed", "Say what the error was.", rule.cite)
    if this_round.misplaced:
        raise cards_misplaced(table)
    player_options = list(
        offer_options(table, this_round, rule.name, table.outcome(), put_right=command.reconstructable)
    )
    if player_options and not is_at_least(call, "pit_supervisor"):
        # Players choose by cards they have seen: whether there is a choice is not the dealer's word alone.
        yield e.ErrorReported(command.what, command.reconstructable, rule.cite.paragraph)
        return
    yield e.IrregularityNoted(rule.name, command.what, rule.cite.paragraph)
    yield from player_options


def confirm_error(table: Table, call: c.Call, command: c.ConfirmError) -> Iterator[e.Event]:
    this_round = table.require_round()
    rule = irregularity(table, "dealing_error")
    must_be(call, "pit_supervisor", rule.cite)
    table.must_not_be_interrupted()
    if this_round.reported is None:
        raise Refused("no_error_reported", "No dealing error waits to be confirmed.", rule.cite)
    what, put_right = this_round.reported
    if not command.confirmed:
        yield e.ErrorRejected(what, rule.cite.paragraph)
        return
    yield e.IrregularityNoted(rule.name, what, rule.cite.paragraph)
    yield from offer_options(table, this_round, rule.name, table.outcome(), put_right=put_right)


def choose_option(table: Table, call: c.Call, command: c.ChooseOption) -> Iterator[e.Event]:
    this_round = table.require_round()
    must_act_for(table, call, command.player)
    answers = this_round.options
    if answers is None or command.player not in answers:
        raise Refused(
            "no_options_asked",
            "{player} is not being asked.",
            table.cite("players_options"),
            player=command.player,
        )
    if answers[command.player]:
        raise Refused(
            "one_answer_each",
            "{player} has answered: {answer}.",
            table.cite("players_options"),
            player=command.player,
            answer=answers[command.player],
        )
    table.must_not_be_interrupted()
    go_on = "continue_reconstructed_hand" if this_round.put_right else "continue_hand"
    cite = irregularity(table, "dealing_error").paragraph(
        "return_bets" if command.choice == "return" else go_on
    )
    recorded_by = "" if call.role == "player" else call.by
    yield e.OptionChosen(command.player, command.choice, cite, recorded_by)
    if all(answer or player == command.player for player, answer in answers.items()):
        yield from options_closed(table, this_round, {**answers, command.player: command.choice})


def close_options(table: Table, call: c.Call, command: c.CloseOptions) -> Iterator[e.Event]:
    this_round = table.require_round()
    must_be(call, "dealer", table.cite("players_options"))
    if this_round.options is None:
        raise Refused("no_options_asked", "No options are open.", table.cite("players_options"))
    table.must_not_be_interrupted()
    yield from options_closed(table, this_round, this_round.options)


def options_closed(table: Table, this_round: Round, answers: dict[str, str]) -> Iterator[e.Event]:
    """Who chose to have their bets back gets them; everyone else accepts the cards to come."""
    returning = {player for player, answer in answers.items() if answer == "return"}
    bet_standings = table.outcome().standings
    undecided_only = table.reading("players_options") == "undecided_bets_only"
    returned = [
        Returned(bet.key, bet.player, bet.stake)
        for bet in this_round.live()
        if bet.player in returning and not (undecided_only and _is_decided(table, bet_standings, bet))
    ]
    yield e.OptionsClosed(tuple(player for player in answers if player not in returning))
    if returned:
        cite = irregularity(table, "dealing_error").paragraph("return_bets")
        yield from bets_returned(table, this_round, returned, "players_options", cite)


def _is_decided(table: Table, bet_standings: Mapping[str, Standing], bet: Placed | Insured) -> bool:
    """Whether a bet has won or lost already; Insurance is decided with the hand it insures."""
    if isinstance(bet, Placed):
        return bet_standings[bet.bet] in ("won", "lost")
    insured = next(name for name, book_bet in table.book.bets.items() if book_bet.original == bet.hand)
    return bet_standings[insured] != "open"


def bets_returned(
    table: Table, this_round: Round, returned: Sequence[Returned], because: str, cite: str
) -> Iterator[e.Event]:
    """Bets go back from a round under way; a box this leaves beyond the Differential is cut pro rata."""
    yield e.BetsReturned(tuple(returned), because, cite)
    yield from cut_pro_rata(table, this_round, {bet.key for bet in returned})
