"""What goes wrong during a round, one operation for each paragraph that provides for it.

Each knows who may call it, whether it applies now, and what it must offer: the players' options where the
document gives them, while or although an outcome stands, as it says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from lammer.game.cards import Card, parse_cards
from lammer.rulebook.model import Irregularity
from lammer.rulebook.refusal import Refused
from lammer.table import commands as c, events as e
from lammer.table.betting import within_differential
from lammer.table.dealing import cut_card_shown, dealing, must_reconstruct
from lammer.table.ending import voided
from lammer.table.insuring import window_after, window_passed
from lammer.table.records import LaidCard, Returned
from lammer.table.roles import irregularity, must_act_for, must_be, must_decide
from lammer.table.state import Laid, OutcomeNow, Round, Table


def options(table: Table, here: Round, name: str, outcome: OutcomeNow, put_right: bool) -> Iterator[e.Event]:
    """The players' options, if this irregularity gives them now."""
    given = irregularity(table, name).options
    players = tuple(here.players())
    if given is not None and players and options_due(given[0], outcome, put_right=put_right):
        error = irregularity(table, "dealing_error").cite.paragraph
        cites = tuple(dict.fromkeys((given[1].paragraph, error)))
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
    found = {}
    for name, rule in table.book.irregularities.items():
        if name == "technical_interruption":
            found[name] = "conclude" if outcome.established else "void"
        elif rule.options is not None:
            due = options_due(rule.options[0], outcome, put_right=True)
            found[name] = "options" if due else "no options"
    return found


def show_cut_card(table: Table, call: c.Call, command: c.ShowCutCard) -> Iterator[e.Event]:
    here = table.under_way()
    must_be(call, "dealer", table.cite("cut_card"))
    if table.shoe is not None and table.shoe.kind == "virtual":
        raise Refused(
            "card_comes_from_shoe", "A virtual shoe shows its cut card itself.", table.cite("cut_card")
        )
    irregularity(table, "cut_card")  # or `no_such_rule`
    if table.shoe is not None and table.shoe.cut_shown:
        raise Refused(
            "shoe_is_over", "The cut card of this shoe has appeared already.", table.cite("cut_card")
        )
    yield cut_card_shown(table, here)


def close_withdrawal(table: Table, call: c.Call, command: c.CloseWithdrawal) -> Iterator[e.Event]:
    here = table.under_way()
    must_be(call, "dealer", table.cite("cut_card_first"))
    if not here.withdrawal:
        raise Refused("no_withdrawal", "No withdrawal is open.", table.cite("cut_card_first"))
    yield e.WithdrawalClosed(here.number)
    # A bet withdrawn from the lighter side may have left the heavier one beyond the maximum.
    yield from within_differential(table, here)
    if not here.players():
        yield e.RoundConcluded(here.number, table.paragraph("cut_card_first"))


def missed_withdrawal(table: Table, call: c.Call, command: c.MissedWithdrawal) -> Iterator[e.Event]:
    here = dealing(table)
    rule = irregularity(table, "withdrawal_not_offered")
    must_be(call, "dealer", rule.cite)
    if not (table.set.high_limit and here.cards) or here.cut_first or table.last_of_shoe:
        raise Refused("no_withdrawal", "No withdrawal was due, or it was offered.", rule.cite)
    # The dealer took the cut card away and dealt on; that it was the first card is recorded now.
    yield e.CutCardShown(True, False, irregularity(table, "cut_card").cite.paragraph)
    yield e.IrregularityNoted(rule.name, "", rule.cite.paragraph)
    yield from options(table, here, rule.name, table.outcome(), put_right=False)


def reconstruct(table: Table, call: c.Call, command: c.Reconstruct) -> Iterator[e.Event]:
    here = dealing(table)
    rule = irregularity(table, command.irregularity)
    cite = must_decide(table, call, command.irregularity, "reconstruct").paragraph
    if not here.misplaced:
        raise Refused("cards_in_order", "The cards lie where the rules send them.", rule.cite)
    laid, left = table.proper_order(here.cards)
    if left and rule.name != "excess_cards":
        excess = irregularity(table, "excess_cards").cite
        told = "A card was drawn in excess or before its turn; the House decides what becomes of it."
        raise Refused("cards_misplaced", told, excess, next_step="Reconstruct it as excess cards.")
    if not command.possible:
        yield e.IrregularityNoted(rule.name, "cannot be reconstructed", rule.cite.paragraph)
        yield from _stuck(table, call, rule, laid, left)
        return
    yield e.IrregularityNoted(rule.name, "", rule.cite.paragraph)
    shown = tuple(LaidCard(card.card, card.hand, card.face_up, card.dealt_up) for card in laid)
    yield e.CardsReconstructed(shown, tuple(left), cite)
    yield from options(table, here, rule.name, table.outcome_with(laid), put_right=True)
    yield from window_after(table, here, laid)


def _stuck(
    table: Table, call: c.Call, rule: Irregularity, laid: Sequence[Laid], left: Sequence[Card]
) -> Iterator[e.Event]:
    """Cards that cannot be put right: void with a wrong number in a hand, else as they lie, with options."""
    here = table.under_way()
    numbers = [[card.hand for card in cards].count("player") for cards in (laid, here.cards)]
    if rule.name == "excess_cards" or left or numbers[0] != numbers[1] or not _can_stand(table, here):
        wrong = irregularity(table, "wrong_number_of_cards").cite
        must_be(call, "pit_supervisor", wrong)
        yield voided(table, here, "wrong_number_of_cards", wrong.paragraph)
        return
    yield e.CardsStand(rule.cite.paragraph)
    yield from options(table, here, rule.name, table.outcome_with(here.cards), put_right=False)


def _can_stand(table: Table, here: Round) -> bool:
    """Whether some round dealt by the Table of Play shows the cards as they lie."""
    try:
        table.outcome_with(here.cards)
    except Refused:
        return False
    return True


def note_face_up(table: Table, call: c.Call, command: c.NoteFaceUp) -> Iterator[e.Event]:
    here = dealing(table)
    rule = irregularity(table, "face_up_cards")
    must_be(call, "dealer", rule.cite)
    if not table.set.face_down:
        raise Refused("card_is_face_up", "Cards are dealt face up at this table.", rule.cite)
    if not any(laid.dealt_up for laid in here.cards):
        raise Refused("no_such_card", "No card was dealt face up.", rule.cite)
    yield e.IrregularityNoted(rule.name, "", rule.cite.paragraph)
    yield from options(table, here, rule.name, table.outcome(), put_right=False)


def order_simultaneous(table: Table, call: c.Call, command: c.OrderSimultaneous) -> Iterator[e.Event]:
    here = dealing(table)
    rule = irregularity(table, "simultaneous_cards")
    must_decide(table, call, rule.name, "decide_order")
    if here.misplaced:
        raise must_reconstruct(table)
    cards = parse_cards(command.order)
    if len(cards) < 2:
        raise Refused("too_few_cards", "Two cards or more were drawn together.", rule.cite)
    _must_be_next(table, cards)
    yield e.IrregularityNoted(rule.name, " ".join(cards), rule.cite.paragraph)
    yield from window_passed(table, here)
    laid: list[Laid] = list(here.cards)
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
        face_up = not table.set.face_down
        place = len([other for other in laid if other.hand == side]) + 1
        laid.append(Laid(card, side, place, face_up))
        yield e.CardDealt(card, side, place, face_up, not left, carried, rule.cite.paragraph)
    if left:
        laid = laid[: len(laid) - len(left)]
        shown = tuple(LaidCard(other.card, other.hand, other.face_up, other.dealt_up) for other in laid)
        yield e.CardsReconstructed(shown, tuple(left), irregularity(table, "excess_cards").cite.paragraph)
    if not command.order_known:
        yield from options(table, here, rule.name, table.outcome_with(laid), put_right=True)
    if command.replace_shoe:
        cite = must_decide(table, call, rule.name, "replace_shoe")
        yield e.ShoeToBeReplaced(cite.paragraph)
    yield from window_after(table, here, laid, drawn=True)


def _must_be_next(table: Table, cards: Sequence[Card]) -> None:
    """The cards drawn together are the next ones of the shoe, in whatever order."""
    waiting = list(table.carried)[: len(cards)]
    shoe = table.shoe
    if shoe is None:
        raise Refused("no_shoe", "There is no shoe to deal from.")
    if shoe.kind == "virtual":
        # Nor may anybody try which two come next.
        raise Refused("card_comes_from_shoe", "A virtual shoe gives one card at a time, and none together.")
    fresh_cards = Counter(cards) - Counter(Card(card) for card in waiting)
    if fresh_cards.total() != len(cards) - len(waiting):
        told = f"{' '.join(waiting)} was carried over and must be among them."
        raise Refused("impossible_card", told, table.cite("excess_cards"))
    if shoe.left < fresh_cards.total():
        raise Refused("shoe_ran_dry", "The shoe has fewer cards left.", table.cite("shoe_ran_dry"))
    for card, count in fresh_cards.items():
        if shoe.seen[card] + count > shoe.decks:
            raise Refused("impossible_card", f"{card} cannot come again.", table.cite("foreign_card"))


def reset_equipment(table: Table, call: c.Call, command: c.ResetEquipment) -> Iterator[e.Event]:
    here = dealing(table)
    rule = irregularity(table, "equipment_reset")
    must_be(call, "dealer", rule.cite)
    yield e.IrregularityNoted(rule.name, "", rule.cite.paragraph)
    yield from options(table, here, rule.name, table.outcome(), put_right=False)


def judge_damaged_card(table: Table, call: c.Call, command: c.JudgeDamagedCard) -> Iterator[e.Event]:
    here = dealing(table)
    cite = must_decide(table, call, "damaged_cards", "determine_card").paragraph
    rule = irregularity(table, "damaged_cards")
    if table.shoe is not None and table.shoe.kind == "virtual":
        # Nobody may say that a card it dealt was another one.
        told = "The cards of a virtual shoe are neither damaged nor lost."
        raise Refused("card_comes_from_shoe", told, rule.cite)
    hand = here.hand(command.hand)
    if not 1 <= command.place <= len(hand):
        raise Refused("no_such_card", f"The {command.hand} hand has no card {command.place}.", rule.cite)
    yield e.IrregularityNoted(rule.name, f"{command.hand} card {command.place}", rule.cite.paragraph)
    if not command.card:
        yield voided(table, here, rule.name, rule.paragraph("void_round"))
        return
    (card,) = parse_cards([command.card])
    if table.shoe is not None:
        # Of what lies face down, this card among it, nobody is told whether it is one of those.
        down = [other for other in here.cards if not other.face_up or other is hand[command.place - 1]]
        if table.shoe.seen[card] - sum(other.card == card for other in down) >= table.shoe.decks:
            told = f"The set holds no further {card}."
            raise Refused("impossible_card", told, table.cite("foreign_card"))
    found = [Laid(card if other is hand[command.place - 1] else other.card, other.hand, other.place,
                  other.face_up) for other in here.cards]  # fmt: skip
    laid, left = table.proper_order(found)
    proper = not left and all(a.hand == b.hand for a, b in zip(laid, found, strict=True))
    yield e.CardDetermined(command.hand, command.place, card, proper, cite)
    if proper:
        # What is on offer turns on the card as it was found to be.
        opened = list(window_after(table, here, found, drawn=True))
        if here.window is not None and not opened:
            yield e.WindowPassed(here.window, (), cite)
        yield from opened


def note_dealing_error(table: Table, call: c.Call, command: c.NoteDealingError) -> Iterator[e.Event]:
    here = dealing(table)
    rule = irregularity(table, "dealing_error")
    must_be(call, "dealer", rule.cite)
    if not command.what.strip():
        raise Refused("reason_needed", "Say what the error was.", rule.cite)
    yield e.IrregularityNoted(rule.name, command.what, rule.cite.paragraph)
    yield from options(table, here, rule.name, table.outcome(), put_right=command.reconstructable)


def choose_option(table: Table, call: c.Call, command: c.ChooseOption) -> Iterator[e.Event]:
    here = table.under_way()
    must_act_for(table, call, command.player)
    asked = here.options
    if asked is None or command.player not in asked:
        raise Refused(
            "no_options_asked", f"{command.player} is not being asked.", table.cite("players_options")
        )
    if asked[command.player]:
        raise Refused(
            "one_answer_each",
            f"{command.player} has answered: {asked[command.player]}.",
            table.cite("players_options"),
        )
    go_on = "continue_reconstructed_hand" if here.put_right else "continue_hand"
    cite = irregularity(table, "dealing_error").paragraph(
        "return_bets" if command.choice == "return" else go_on
    )
    yield e.OptionChosen(command.player, command.choice, cite)
    if all(answer or player == command.player for player, answer in asked.items()):
        yield from options_closed(table, here, {**asked, command.player: command.choice})


def close_options(table: Table, call: c.Call, command: c.CloseOptions) -> Iterator[e.Event]:
    here = table.under_way()
    must_be(call, "dealer", table.cite("players_options"))
    if here.options is None:
        raise Refused("no_options_asked", "No options are open.", table.cite("players_options"))
    yield from options_closed(table, here, here.options)


def options_closed(table: Table, here: Round, answers: dict[str, str]) -> Iterator[e.Event]:
    """Who chose to have his bets back gets them; everyone else accepts the cards to come."""
    returning = {player for player, answer in answers.items() if answer == "return"}
    stands = table.outcome().standings
    undecided_only = table.reading("players_options") == "undecided_bets_only"
    returned = []
    for bet in here.live():
        decided = stands.get(getattr(bet, "bet", ""), "open") in ("won", "lost")
        if bet.player in returning and not (undecided_only and decided):
            returned.append(Returned(bet.key, bet.player, bet.stake))
    yield e.OptionsClosed(tuple(player for player in answers if player not in returning))
    if returned:
        cite = irregularity(table, "dealing_error").paragraph("return_bets")
        yield e.BetsReturned(tuple(returned), "players_options", cite)
