"""What a script says must have come out, compared with what did.

    [expect]
    ends       = "settled"                              # how the last round ended, or where it stands
    hands      = { player = "9S KH", banker = "2D 3C" } # its cards
    net        = { p1 = "90.00", p2 = "-50" }           # every player with money at the table
    bank       = "1000.00"
    commission = "5.00"
    cites      = { p1 = ["4.1.1"] }                     # paragraphs behind what a player was paid or returned
    events     = ["RoundSettled", "RoundVoided"]        # happened in this order, others between them or not
    never      = ["OptionsOffered"]                     # did not happen
    insured    = { p1 = "50" }                          # Insurance of the last round, every player with any
    forgone    = ["p2"]                                 # who let Insurance pass
    carried    = "4D"                                   # cards that wait for the next round
    rounds     = [1, 3]                                 # rounds on the roads
    past       = { 1 = { player = "9S KH", banker = "2D 3C", void = false } }

A step may say that it is `refused`, and which paragraph it `cites`. Anything else is refused: what is not
checked may not be said. Amounts are compared as cents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, get_args

from lammer.game.cards import parse_cards
from lammer.game.money import show
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import SIDES
from lammer.table import events as e
from lammer.table.journal import EVENTS, Entry
from lammer.table.known_keys import malformed, must_be_table, must_know, parse_cents
from lammer.table.refusal_codes import AT_A_TABLE
from lammer.table.state import Phase, Table

ACCOUNT = "player:"
PAST = ("player", "banker", "void")


@dataclass(frozen=True, slots=True)
class UnmetExpectation:
    """Something a script said that did not come true.

    >>> print(UnmetExpectation("net of p1", "99.00", "25.00"))
    net of p1: expected 99.00, came 25.00
    """

    where: str
    expected: str
    came: str

    def __str__(self) -> str:
        return f"{self.where}: expected {self.expected}, came {self.came}"


Unmet = Iterator[UnmetExpectation]
Journal = Sequence[Entry]
Words = str | Sequence[str]


def must_be_expectations(expect: object) -> None:
    """Refuse an expectation nobody would check, or one that could never come true.

    >>> must_be_expectations({"ends": "setled"})
    Traceback (most recent call last):
    ...
    lammer.rulebook.refusal.Refused: Refused malformed_input: expect.ends is 'setled'. It may be betting, ...
    """
    expectations = must_be_table(expect, "expect")
    must_know(expectations, _EXPECTATIONS, "expect")
    for key, wanted in expectations.items():
        must_be, _ = _EXPECTATIONS[key]
        must_be(wanted, f"expect.{key}")


def must_be_step_expectations(step: Mapping[str, Any], place: str) -> None:
    """Refuse a step that is refused with no code there is, or cites what is no paragraph."""
    if step.get("refused", "") != "":  # empty: not refused, as it may be under one of several rulebooks
        _must_be_one_of(step["refused"], AT_A_TABLE, f"refused of {place}")
    if "cites" in step:
        _must_be_words(step["cites"], f"cites of {place}")


def unmet_at_end(expect: Mapping[str, Any], table: Table, journal: Journal) -> tuple[UnmetExpectation, ...]:
    """What did not come out as a script expects."""
    return tuple(
        unmet for key, wanted in expect.items() for unmet in _EXPECTATIONS[key][1](wanted, table, journal)
    )


def unmet_by_call(
    step: Mapping[str, Any], where: str, rulebook: str, entries: Sequence[Entry], refused: Refused | None
) -> Unmet:
    """What one call did not do as its step says: refused or not, and under which paragraphs."""
    wanted, came = step.get("refused", ""), refused.code if refused is not None else ""
    if wanted != came:
        yield UnmetExpectation(where, _refusal(wanted), str(refused) if refused is not None else _refusal(""))
        return
    paragraphs = {cite for entry in entries for cite in cited_paragraphs(entry.event)}
    if refused is not None and refused.citation is not None and refused.citation.rulebook == rulebook:
        paragraphs = {refused.citation.paragraph}
    for paragraph in _words(step.get("cites", ())):
        if paragraph and paragraph not in paragraphs:
            yield UnmetExpectation(
                f"{where}, cites", paragraph, ", ".join(sorted(paragraphs)) or "no paragraph"
            )


def _refusal(code: str) -> str:
    return f"refused as {code}" if code else "no refusal"


def cited_paragraphs(event: e.Event) -> set[str]:
    """Every paragraph an event names.

    >>> sorted(cited_paragraphs(e.RoundVoided(1, "foreign_card", (), ("5.5", "5.21"))))
    ['5.21', '5.5']
    """
    paragraphs = {getattr(event, "cite", ""), *getattr(event, "cites", ())}
    for part in ("lines", "posted", "offers"):
        for line in getattr(event, part, ()):
            paragraphs.update(getattr(line, "cites", ()), {getattr(line, "cite", "")})
    return paragraphs - {""}


def _paragraphs_for(player: str, event: e.Event) -> Iterator[str]:
    """The paragraphs behind what an event gave a player or took from them."""
    if getattr(event, "player", None) == player:
        yield getattr(event, "cite", "")
    for part in ("lines", "posted", "returned"):
        for line in getattr(event, part, ()):
            if line.player == player:
                yield from getattr(line, "cites", ())
                yield from cited_paragraphs(event) if part == "returned" else ()


def _words(written: Words) -> Sequence[str]:
    return (written,) if isinstance(written, str) else written


# What an expectation looks like.


def _must_be_word(wanted: object, place: str) -> None:
    if not isinstance(wanted, str):
        raise malformed(place, f"is {str(wanted)[:40]!r} and has to be text in quotes.")


def _must_be_words(wanted: object, place: str) -> None:
    words = [wanted] if isinstance(wanted, str) else wanted
    if not isinstance(words, list | tuple):
        raise malformed(place, "is a text or a list of texts.")
    for word in words:
        _must_be_word(word, place)


def _must_be_one_of(wanted: object, known: Sequence[str] | Mapping[str, object], place: str) -> None:
    if wanted not in tuple(known):
        raise malformed(place, f"is {str(wanted)[:40]!r}.", f"It may be {', '.join(known)}.")


def _must_be_phase(wanted: object, place: str) -> None:
    _must_be_one_of(wanted, get_args(Phase), place)


def _must_be_cards(wanted: object, place: str) -> None:
    _must_be_word(wanted, place)
    try:
        parse_cards(str(wanted))
    except Refused as refused:
        raise malformed(f"{place}:", refused.sentence, refused.next_step) from None


def _must_be_hands(wanted: object, place: str) -> None:
    hands = must_be_table(wanted, place)
    must_know(hands, SIDES, place)
    for side, cards in hands.items():
        _must_be_cards(cards, f"{place}.{side}")


def _must_be_amount(wanted: object, place: str) -> None:
    parse_cents(wanted, place, signed=True)


def _must_be_amounts(wanted: object, place: str) -> None:
    for player, amount in must_be_table(wanted, place).items():
        _must_be_amount(amount, f"{place}.{player}")


def _must_be_paragraphs(wanted: object, place: str) -> None:
    for player, paragraphs in must_be_table(wanted, place).items():
        _must_be_words(paragraphs, f"{place}.{player}")


def _must_be_events(wanted: object, place: str) -> None:
    _must_be_words(wanted, place)
    for name in _words(wanted):  # type: ignore[arg-type]
        _must_be_one_of(name, EVENTS, place)


def _must_be_rounds(wanted: object, place: str) -> None:
    if not isinstance(wanted, list | tuple) or not all(type(number) is int for number in wanted):
        raise malformed(place, "is a list of the numbers of rounds.")


def _must_be_past(wanted: object, place: str) -> None:
    for number, past in must_be_table(wanted, place).items():
        if not number.isdecimal():
            raise malformed(f"{place}.{number[:40]}", "is not the number of a round.")
        round_ = must_be_table(past, f"{place}.{number}")
        must_know(round_, PAST, f"{place}.{number}")
        for side in SIDES:
            _must_be_cards(round_.get(side, ""), f"{place}.{number}.{side}")
        if type(round_.get("void", False)) is not bool:
            raise malformed(f"{place}.{number}.void", "is true or false.")


# What came out.


def _compare(where: str, wanted: object, came: object) -> Unmet:
    if wanted != came:
        yield UnmetExpectation(where, str(wanted) or "nothing", str(came) or "nothing")


def _compare_amount(where: str, wanted: object, cents: int) -> Unmet:
    yield from _compare(where, show(parse_cents(wanted, where, signed=True)), show(cents))


def _compare_amounts(what: str, wanted: Mapping[str, object], cents: Mapping[str, int]) -> Unmet:
    """Every player with money is named, and nobody else."""
    for player, amount in wanted.items():
        if player in cents:
            yield from _compare_amount(f"{what} of {player}", amount, cents[player])
        else:
            yield UnmetExpectation(
                f"{what} of {player}", str(amount), f"no such player; there are {', '.join(cents)}"
            )
    for player in cents.keys() - wanted.keys():
        yield UnmetExpectation(f"{what} of {player}", "nothing said", show(cents[player]))


def _net(wanted: Mapping[str, object], table: Table, journal: Journal) -> Unmet:
    cents = {
        name.removeprefix(ACCOUNT): cents
        for name, cents in table.accounts.items()
        if name.startswith(ACCOUNT)
    }
    yield from _compare_amounts("net", wanted, cents)


def _account(name: str, wanted: object, table: Table, journal: Journal) -> Unmet:
    yield from _compare_amount(name, wanted, table.accounts.get(name, 0))


def _ends(wanted: str, table: Table, journal: Journal) -> Unmet:
    yield from _compare("ends", wanted, table.round.phase if table.round is not None else "no round")


def _hands(wanted: Mapping[str, str], table: Table, journal: Journal) -> Unmet:
    for side in SIDES:
        if side in wanted:
            cards = " ".join(table.round.values(side)) if table.round is not None else "no round"
            yield from _compare(f"{side.capitalize()} hand", " ".join(wanted[side].split()), cards)


def _events(wanted: Words, table: Table, journal: Journal) -> Unmet:
    happened = [type(entry.event).__name__ for entry in journal]
    waiting = iter(happened)
    for name in _words(wanted):
        if name not in waiting:
            came = "it happened earlier only" if name in happened else "it did not happen"
            yield UnmetExpectation("events", name, came)
            return


def _never(wanted: Words, table: Table, journal: Journal) -> Unmet:
    for name in _words(wanted):
        numbers = [str(entry.number) for entry in journal if type(entry.event).__name__ == name]
        if numbers:
            yield UnmetExpectation("never", f"no {name}", f"event {', '.join(numbers)}")


def _cites(wanted: Mapping[str, Words], table: Table, journal: Journal) -> Unmet:
    for player, paragraphs in wanted.items():
        cited = {cite for entry in journal for cite in _paragraphs_for(player, entry.event)} - {""}
        for paragraph in _words(paragraphs):
            if paragraph not in cited:
                came = ", ".join(sorted(cited)) or "no paragraph"
                yield UnmetExpectation(f"cites of {player}", paragraph, came)


def _carried(wanted: str, table: Table, journal: Journal) -> Unmet:
    yield from _compare("carried", " ".join(wanted.split()), " ".join(table.carried))


def _insured(wanted: Mapping[str, object], table: Table, journal: Journal) -> Unmet:
    stakes: dict[str, int] = {}
    for bet in table.round.insured.values() if table.round is not None else ():
        stakes[bet.player] = stakes.get(bet.player, 0) + bet.stake
    yield from _compare_amounts("insured", wanted, stakes)


def _forgone(wanted: Words, table: Table, journal: Journal) -> Unmet:
    came = sorted(table.round.forgone) if table.round is not None else ["no round"]
    yield from _compare("forgone", ", ".join(sorted(_words(wanted))), ", ".join(came))


def _rounds(wanted: Sequence[int], table: Table, journal: Journal) -> Unmet:
    yield from _compare("rounds on the roads", list(wanted), list(table.results))


def _past(wanted: Mapping[str, Mapping[str, Any]], table: Table, journal: Journal) -> Unmet:
    for number, expected_round in wanted.items():
        past = table.past.get(int(number))
        if past is None:
            yield UnmetExpectation(f"past round {number}", "an earlier round", "none of that number")
            continue
        came = {"player": " ".join(past.player), "banker": " ".join(past.banker), "void": past.void}
        for key, value in expected_round.items():
            cards = " ".join(value.split()) if isinstance(value, str) else value
            yield from _compare(f"{key} of past round {number}", cards, came[key])


_EXPECTATIONS: dict[str, tuple[Callable[[Any, str], None], Callable[..., Iterator[UnmetExpectation]]]] = {
    "ends": (_must_be_phase, _ends),
    "hands": (_must_be_hands, _hands),
    "net": (_must_be_amounts, _net),
    "bank": (_must_be_amount, partial(_account, "bank")),
    "commission": (_must_be_amount, partial(_account, "commission")),
    "cites": (_must_be_paragraphs, _cites),
    "events": (_must_be_events, _events),
    "never": (_must_be_events, _never),
    "insured": (_must_be_amounts, _insured),
    "forgone": (_must_be_words, _forgone),
    "carried": (_must_be_cards, _carried),
    "rounds": (_must_be_rounds, _rounds),
    "past": (_must_be_past, _past),
}
