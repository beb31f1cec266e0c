"""Counterexamples as scenarios: a script that `lammer play` runs, or a round that `lammer settle` settles."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from lammer.game.cards import Card
from lammer.game.hands import FinishedRound
from lammer.game.money import show
from lammer.proof.rounds import in_dealing_order
from lammer.proof.working import Counterexample, Script
from lammer.rulebook.betting import Bet, Offer
from lammer.rulebook.model import Rulebook

PLAYER, BOX = "p1", 1
MOST = "1000000"


def cards_of(book: Rulebook, played: FinishedRound) -> tuple[Card, ...]:
    """The cards of a round as they left the shoe."""
    return in_dealing_order(book, played.player.cards, played.banker.cards)


def layout_with(book: Rulebook, bets: Sequence[str]) -> str:
    """A layout that offers as many of these bets as any."""
    return max(sorted(book.layouts), key=lambda letter: sum(letter in book.bets[bet].layouts for bet in bets))


def round_script(
    book: Rulebook,
    title: str,
    cards: Sequence[Card],
    bets: Mapping[str, int],
    *,
    insured: tuple[Offer, int] | None = None,
    expect: Mapping[str, Any] | None = None,
    proves: Sequence[str] = (),
) -> Script:
    """A script of one round: these bets, these cards, Insurance where it is insured, and the settlement."""
    layout = layout_with(book, list(bets))
    box = book.layouts[layout]
    steps: list[Script] = [{"by": "dealer", "do": "open_bets"}]
    steps += [
        {"by": PLAYER, "do": "place_bet", "box": BOX, "bet": bet, "stake": show(stake)}
        for bet, stake in bets.items()
        if layout in book.bets[bet].layouts
    ]
    steps.append({"by": "dealer", "do": "close_bets"})
    cut = 0
    if insured is not None:
        offer, stake = insured
        cut = 4 if offer.window == "four_cards" else 5
        steps.append({"by": "dealer", "do": "deal_cards", "cards": " ".join(cards[:cut])})
        steps.append(
            {"by": PLAYER, "do": "place_insurance", "box": BOX, "hand": offer.hand, "stake": show(stake)}
        )
    if cards[cut:]:
        steps.append({"by": "dealer", "do": "deal_cards", "cards": " ".join(cards[cut:])})
    steps.append({"by": "dealer", "do": "settle"})
    script: Script = {
        "title": title,
        "rulebook": book.id,
        "layout": layout,
        "limits": {"minimum": "0.01", "differential": MOST},
        "seats": {PLAYER: min(BOX, box.most)},
        "step": steps,
    }
    known = [number for number in proves if number in book.paragraphs]
    if known:
        script["proves"] = known
    if expect:
        script["expect"] = dict(expect)
    return script


def round_example(
    book: Rulebook,
    what: str,
    cites: Sequence[str],
    played: FinishedRound,
    bets: Sequence[Bet],
    expect: Mapping[str, Any] | None = None,
) -> Counterexample:
    """A counterexample that is one round with a hundred on each of these bets."""
    stakes = {bet.name: 100_00 for bet in bets}
    script = round_script(book, what, cards_of(book, played), stakes, expect=expect)
    return Counterexample(what, tuple(dict.fromkeys(cites)), script)


_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")


def scenario_text(found: Counterexample) -> str:
    """A scenario as the file a person plays: TOML for `lammer play`, JSON for `lammer settle`.

    >>> steps = [{"by": "dealer", "do": "settle"}]
    >>> print(scenario_text(Counterexample("Why", ("4.1",), {"layout": "A", "step": steps})))
    # Why (4.1)
    layout = "A"
    [[step]]
    by = "dealer"
    do = "settle"
    <BLANKLINE>
    """
    if found.form == "settle":
        return json.dumps(found.scenario, indent=4, ensure_ascii=False) + "\n"
    lines = [f"# {found.what} ({', '.join(found.cites)})"]
    lines += [
        f"{key} = {_toml(value)}" for key, value in found.scenario.items() if key not in ("step", "expect")
    ]
    for step in found.scenario.get("step", ()):
        lines += ["[[step]]", *(f"{key} = {_toml(value)}" for key, value in step.items())]
    if "expect" in found.scenario:
        lines += ["[expect]", *(f"{key} = {_toml(value)}" for key, value in found.scenario["expect"].items())]
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    if isinstance(value, Mapping):
        inside = (
            f"{key if _BARE.fullmatch(key) else json.dumps(key)} = {_toml(each)}"
            for key, each in value.items()
        )
        return f"{{ {', '.join(inside)} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False)
