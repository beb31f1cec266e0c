"""What a rulebook is, as values: everything a document says, each beside its paragraph.

Built only by `load`, never changed afterwards. It knows what the rules are and nothing of cards being
dealt, people or money; `game` reads it, `check` proves it whole, `diff` compares two of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from lammer.rulebook.betting import Bet, Insurance
from lammer.rulebook.citation import Citation
from lammer.rulebook.problems import Problem
from lammer.rulebook.refusal import Refused
from lammer.rulebook.vocabulary import RANKS, READINGS, Side

USUAL_DECKS: Final = 8
"""Decks of a shoe where nobody says another number and the document allows it."""


@dataclass(frozen=True, slots=True)
class Cards:
    """How many decks of how many cards, what each rank is worth, and who gets the first four.

    `ranks` are those a deck has, four cards of each; a rank that is not there has no worth either.
    """

    fewest_decks: int
    most_decks: int
    deck: int
    decks_cite: Citation
    points: Mapping[str, int]
    points_cite: Mapping[str, Citation]
    order: tuple[Side, ...]
    order_cite: Citation
    total_cite: Citation
    ranks: str = RANKS

    @property
    def usual_decks(self) -> int:
        """Eight decks, or as near to eight as the document allows."""
        return min(max(USUAL_DECKS, self.fewest_decks), self.most_decks)


@dataclass(frozen=True, slots=True)
class Drawing:
    """Whether a hand takes a third card, and the paragraph that says so.

    Where the hand may choose the cell is `optional`, and `draws` is what it does in the usual play. Once it
    has chosen, the cell is `chosen` and no longer open.
    """

    draws: bool
    cite: Citation
    optional: bool = field(default=False, repr=False)
    chosen: bool = field(default=False, repr=False)


Cell = tuple[Side, int, int | None]
"""A cell of the Table of Play: the hand, its two-card total, and for the Banker the Player's third card."""


@dataclass(frozen=True, slots=True)
class Play:
    """A named way to play the cells in which a hand may draw: it draws in `draws`, and stands elsewhere."""

    name: str
    title: str
    draws: frozenset[Cell]


@dataclass(frozen=True, slots=True)
class TableOfPlay:
    """Every drawing decision as a cell.

    `natural` holds the two-card totals that are naturals, none where the game knows none; they end the
    drawing for both hands where `natural_ends` says so. `player` is keyed by the two-card total; `banker` by
    the two-card total and the Player's third card, or None when the Player took none. `plays` are the named
    choices for the cells in which a hand may draw; the first is the usual one.
    """

    natural: frozenset[int]
    natural_cite: Citation
    player: Mapping[int, Drawing]
    banker: Mapping[tuple[int, int | None], Drawing]
    natural_ends: bool = True
    plays: tuple[Play, ...] = ()
    choices: frozenset[Cell] = field(init=False, repr=False, compare=False)
    """The cells in which a hand may draw or stand as it likes; every round asks for them."""

    def __post_init__(self) -> None:
        player: set[Cell] = {("player", total, None) for total, cell in self.player.items() if cell.optional}
        banker: set[Cell] = {("banker", *key) for key, cell in self.banker.items() if cell.optional}
        object.__setattr__(self, "choices", frozenset(player | banker))

    @property
    def ending(self) -> frozenset[int]:
        """The two-card totals on which nobody draws, whatever the cells say."""
        return self.natural if self.natural_ends else frozenset()


@dataclass(frozen=True, slots=True)
class Layout:
    """A table layout of the appendix."""

    appendix: str
    fewest: int
    most: int
    chinese: bool
    cite: Citation


@dataclass(frozen=True, slots=True)
class Squeeze:
    """Who with the highest bet may ask to squeeze at a face-down table, and which requests, once the
    House consents, waive Insurance after the Player's third card for everyone."""

    right: str
    cite: Citation
    waivers: tuple[str, ...]
    waiver_cite: Citation | None


@dataclass(frozen=True, slots=True)
class Step:
    """One thing an irregularity allows or demands, when, by whom, at whose discretion."""

    does: str
    when: str
    by: str
    discretion: str
    cite: Citation


@dataclass(frozen=True, slots=True)
class Irregularity:
    """Something that goes wrong and what the document says about it.

    `options` says when the players get the options of a dealing error, with the paragraph that
    gives them; None where they get none.
    """

    name: str
    title: str
    cite: Citation
    steps: tuple[Step, ...]
    options: tuple[str, Citation] | None

    def paragraph(self, action: str) -> str:
        """The paragraph a step stands in."""
        return next(step.cite.paragraph for step in self.steps if step.does == action)


@dataclass(frozen=True, slots=True)
class Role:
    """A person the document gives something to do, in rising order of authority."""

    name: str
    cite: Citation


@dataclass(frozen=True, slots=True)
class Reading:
    """How we read a place that is silent or can be read two ways, and what else a table may choose."""

    name: str
    question: str
    choice: str
    alternatives: tuple[str, ...]
    because: str
    cites: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph, numbered or the title page: what answers for it, or why nothing can.

    `sha256` is of the paragraph's own text with white space folded; a document of your own without
    an approved text has none. `lost_after` names the paragraph before one whose number the text lost.
    """

    number: str
    gist: str
    behaviours: tuple[str, ...]
    not_executable: str
    sha256: str
    lost_after: str


@dataclass(frozen=True, slots=True)
class Translation:
    """A rulebook's texts in another language: by paragraph, by irregularity, by reading, by choice."""

    gists: Mapping[str, str] = field(default_factory=dict)
    not_executable: Mapping[str, str] = field(default_factory=dict)
    irregularities: Mapping[str, str] = field(default_factory=dict)
    questions: Mapping[str, str] = field(default_factory=dict)
    reasons: Mapping[str, str] = field(default_factory=dict)
    choices: Mapping[str, str] = field(default_factory=dict)


_NO_TRANSLATION: Final = Translation()


@dataclass(frozen=True, slots=True, eq=False)
class Rulebook:
    """One approved version of one game, or a private one of your own.

    `sha256` is of the file it was loaded from, or of everything the file comes to where it leaves parts out
    or is `based_on` another; a settled round records it beside the id. Two loadings are two rulebooks:
    compare ids, hashes, or meanings with `diff`. `lacks` is what is missing before it can be approved;
    `has_index` is false where a private file numbers no paragraphs.
    """

    game: str
    version: int
    sha256: str
    title: str
    title_zh: str
    approved_by: str
    operator: str
    in_force_from: datetime
    time_zone: str
    supersedes: str
    identity: Citation
    cards: Cards
    table_of_play: TableOfPlay
    winner: Citation
    tie: Citation
    bets: Mapping[str, Bet]
    bets_cite: Citation
    layouts: Mapping[str, Layout]
    layouts_cite: Citation
    boxes_cite: Citation
    insurance: Insurance | None
    squeeze: Squeeze
    irregularities: Mapping[str, Irregularity]
    roles: Mapping[str, Role]
    readings: Mapping[str, Reading]
    paragraphs: Mapping[str, Paragraph]
    translations: Mapping[str, Translation] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    based_on: str = ""
    lacks: tuple[Problem, ...] = ()
    has_index: bool = True

    @property
    def id(self) -> str:
        return f"{self.game}@{self.version}"

    @property
    def is_private(self) -> bool:
        """Whether it is its author's own what-if, which nobody has approved."""
        return not self.approved_by

    def cite(self, paragraph: str) -> Citation:
        return Citation(self.id, paragraph)

    def translation(self, language: str) -> Translation:
        """Its texts in that language; none of them where nobody has translated it."""
        return self.translations.get(language, _NO_TRANSLATION)

    def layout(self, appendix: str) -> Layout:
        """The layout of that appendix, or `unknown_layout`."""
        if appendix not in self.layouts:
            raise Refused(
                "unknown_layout",
                "{rulebook} has no layout {layout}; it has {layouts}.",
                self.layouts_cite,
                next_step="Choose one of those.",
                rulebook=self.id,
                layout=repr(appendix[:20]),
                layouts=", ".join(self.layouts),
            )
        return self.layouts[appendix]

    def offered(self, layout: Layout) -> tuple[Bet, ...]:
        """The bets this layout offers, in the document's order."""
        return tuple(bet for bet in self.bets.values() if layout.appendix in bet.layouts)

    def bet(self, name: str) -> Bet:
        """The bet of that name, or `unknown_bet`."""
        if name not in self.bets:
            raise Refused(
                "unknown_bet",
                "{rulebook} has no bet {name}.",
                self.bets_cite,
                next_step="It has {bets}.",
                rulebook=self.id,
                name=repr(name[:40]),
                bets=", ".join(self.bets),
            )
        return self.bets[name]

    def offer(self, layout: Layout, name: str) -> Bet:
        """The bet of that name on that layout, or `unknown_bet`, or `not_on_this_layout`."""
        bet = self.bet(name)
        if layout.appendix not in bet.layouts:
            raise Refused(
                "not_on_this_layout",
                "Layout {layout} does not offer {bet}.",
                bet.offered,
                next_step="Layouts with it: {layouts}.",
                layout=layout.appendix,
                bet=bet.title,
                layouts=", ".join(sorted(bet.layouts)),
            )
        return bet

    def reading(self, name: str, chosen: Mapping[str, str] | None = None) -> str:
        """The choice that holds: the table's own where it made one, else the rulebook's, else the usual one.

        >>> from lammer import rulebook
        >>> book = rulebook("tiger-buffalo-noncommission@4")
        >>> book.reading("limits_mode"), book.reading("limits_mode", {"limits_mode": "advisory"})
        ('strict', 'advisory')
        """
        if chosen and name in chosen:
            return chosen[name]
        return self.readings[name].choice if name in self.readings else READINGS[name][0]

    def must_allow(self, chosen: Mapping[str, str]) -> None:
        """Refuse a table's choice of readings unless the rulebook lists every one of them."""
        for name, choice in chosen.items():
            reading = self.readings.get(name)
            if reading is None:
                raise Refused(
                    "unknown_reading",
                    "{rulebook} has no reading {name}.",
                    next_step="It has {readings}.",
                    rulebook=self.id,
                    name=repr(name[:40]),
                    readings=", ".join(self.readings),
                )
            if choice not in (reading.choice, *reading.alternatives):
                raise Refused(
                    "unknown_reading",
                    "{choice} is not a way to read {name}.",
                    reading.cites[0],
                    next_step="Choose {choices}.",
                    choice=repr(choice[:40]),
                    name=name,
                    choices=" or ".join((reading.choice, *reading.alternatives)),
                )
