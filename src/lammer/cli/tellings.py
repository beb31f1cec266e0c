"""Each event of a table as a sentence, with its paragraph."""

from __future__ import annotations

from lammer.game.money import show
from lammer.table import events as e


def told(event: e.Event) -> tuple[str, str]:
    """What happened in words, and the paragraph it stands on.

    >>> told(e.BettingOpened(12))
    ('round 12: Place your Bets, please', '')
    """
    cites = getattr(event, "cites", ())
    cite = getattr(event, "cite", "") or " ".join(cites)
    return _betting(event) or _cards(event) or _ends(event) or _plain(event), cite


def _betting(event: e.Event) -> str:
    match event:
        case e.BettingOpened():
            return f"round {event.round}: Place your Bets, please"
        case e.BetPlaced():
            stands = "" if event.seated else ", standing"
            warned = f" ({event.warning.replace('_', ' ')})" if event.warning else ""
            return f"{event.player} bets {show(event.stake)} on {event.bet}, box {event.box}{stands}{warned}"
        case e.BetIncreased():
            return f"{event.player} adds {show(event.stake)}"
        case e.BetReduced():
            return f"{event.player} gets back {show(event.amount)}: {event.because}"
        case e.BetCut():
            return f"{event.player} plays {show(event.played)}, {show(event.amount)} goes back unplayed"
        case e.BettingClosed():
            return "No more Bets"
        case e.InsurancePlaced():
            return f"{event.player} insures {event.hand} with {show(event.stake)} at {event.odds}"
        case e.WindowOpened():
            offers = ", ".join(f"{offer.hand} at {offer.odds} ({offer.cite})" for offer in event.offers)
            return f"Insurance is open, {event.window.replace('_', ' ')}: {offers}"
        case e.WindowPassed():
            lost = f"; forgone by {', '.join(event.forgone)}" if event.forgone else ""
            return f"Insurance is over, {event.window.replace('_', ' ')}{lost}"
        case _:
            return ""


def _cards(event: e.Event) -> str:
    match event:
        case e.CardDealt():
            shown = event.card if event.face_up else "a card face down"
            wrong = "" if event.proper else ", where the rules did not send it"
            return f"{shown} to {event.hand.capitalize()}{wrong}"
        case e.CardOpened():
            return f"{event.hand.capitalize()}'s card {event.place} is opened"
        case e.CardsReconstructed():
            hands = {
                side: " ".join(laid.card for laid in event.laid if laid.hand == side)
                for side in ("player", "banker")
            }
            rest = f"; {' '.join(event.carried)} carried over" if event.carried else ""
            return f"put right: Player {hands['player']}, Banker {hands['banker']}{rest}"
        case e.ShoePrepared():
            bound = f", bound to {event.commitment[:16]}…" if event.commitment else ", read card by card"
            return f"shoe {event.shoe} of {event.decks} decks{bound}"
        case e.ShoeEnded():
            return f"shoe {event.shoe} ends" + (" and its order is revealed" if event.order else "")
        case _:
            return ""


def _ends(event: e.Event) -> str:
    match event:
        case e.RoundSettled():
            lines = "; ".join(
                f"{line.player} {line.bet if line.window is None else 'insurance ' + line.bet} {line.outcome}"
                f" {show(line.returned - line.stake)} ({' '.join(line.cites)})"
                for line in event.lines
            )
            result = "tie" if event.winner == "tie" else f"{event.winner.capitalize()} wins"
            return f"{result} on {event.points}: {lines or 'no bets'}"
        case e.RoundVoided():
            cause = event.cause.replace("_", " ")
            return f"round {event.round} is void: {cause}; {len(event.returned)} bets go back"
        case e.RoundConcluded():
            return f"round {event.round} is concluded without play"
        case e.OptionsOffered():
            return f"{', '.join(event.players)} may continue or have their bets returned"
        case e.BetsReturned():
            back = ", ".join(f"{back.player} {show(back.amount)}" for back in event.returned)
            return f"returned: {back}"
        case e.RoundCorrected():
            return f"round {event.round} is corrected: {len(event.reversed)} lines reversed and posted anew"
        case e.SettlementReopened():
            return f"the settlement of round {event.round} is reopened: {event.reason}"
        case e.IrregularityNoted():
            detail = f": {event.detail}" if event.detail else ""
            return f"{event.name.replace('_', ' ')}{detail}"
        case _:
            return ""


def _plain(event: e.Event) -> str:
    """Any other event: its name in words, and what it says."""
    words = "".join(
        f" {letter.lower()}" if letter.isupper() else letter for letter in type(event).__name__
    ).strip()
    said = [
        str(getattr(event, name))
        for name in ("player", "box", "amount", "reason", "effect", "choice", "what", "consent")
        if hasattr(event, name)
    ]
    return f"{words} {' '.join(said)}".strip()
