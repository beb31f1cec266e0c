"""Every key a rulebook's file may have: where, of what kind, what it means, and an example.

`load` reads the file; this says it to people and to their editors. The reference page and the JSON Schema
are made from here, and a key nobody knows is answered with these. A test holds it against what `load` asks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from lammer.rulebook import vocabulary as words
from lammer.rulebook.behaviours import BEHAVIOURS, IRREGULARITIES

CONDITION: Final = "condition"
"""The shape of `wins`, of `when`, and of what stands in `any` and `not`."""


class Kind(NamedTuple):
    """What may stand behind a key: in words, and for a machine."""

    words: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Key:
    """One key. `needed` ones have to be there in every file, a private one too."""

    name: str
    kind: Kind
    means: str
    example: str
    needed: bool = False


@dataclass(frozen=True, slots=True)
class Shape:
    """A table of the file: how its head is written, what it is for, its keys.

    `least` are keys of which a row that is not `based_on` another needs one of each group.
    """

    head: str
    means: str
    keys: tuple[Key, ...]


def _string(words_: str, pattern: str = "") -> Kind:
    return Kind(words_, {"type": "string"} | ({"pattern": pattern} if pattern else {}))


def _word(*known: str) -> Kind:
    return Kind("one of " + ", ".join(f"`{word}`" for word in known), {"enum": [*known]})


def _some(*known: str) -> Kind:
    schema = {"type": "array", "items": {"enum": [*known]}, "uniqueItems": True}
    return Kind("a list of " + ", ".join(f"`{word}`" for word in known), schema)


def _one_or_some(*known: str) -> Kind:
    one, some = _word(*known), _some(*known)
    return Kind(f"{one.words}, or a list of them", {"anyOf": [one.schema, {**some.schema, "minItems": 1}]})


def _whole(least: int, most: int) -> Kind:
    schema = {"type": "integer", "minimum": least, "maximum": most}
    return Kind(f"a whole number from {least} to {most}", schema)


def _wholes(least: int, most: int) -> Kind:
    one = _whole(least, most)
    some = {"type": "array", "items": one.schema, "minItems": 1, "uniqueItems": True}
    return Kind(f"{one.words}, or a list of them", {"anyOf": [one.schema, some]})


def _table(shape: str) -> Kind:
    return Kind("a table", {"$ref": f"#/$defs/{shape}"})


def _rows(shape: str) -> Kind:
    return Kind("rows", {"type": "array", "minItems": 1, "items": {"$ref": f"#/$defs/{shape}"}})


TEXT: Final = Kind("text", {"type": "string", "pattern": r"\S"})
NAME: Final = _string("a short name in lower case", "^[a-z][a-z0-9_]{0,39}$")
FLAG: Final = Kind("`true` or `false`", {"type": "boolean"})
MOMENT: Final = Kind("a date and time with its offset", {})
ODDS: Final = _string("odds as text", r"^[0-9]+(\.[0-9]+)?:[0-9]+(\.[0-9]+)?$")
RATE: Final = _string("a percentage as text", r"^[0-9]+(\.[0-9]+)?%$")
PARAGRAPH: Final = _string("a paragraph's number as text")
PARAGRAPHS: Final = Kind(
    "a paragraph, or a list of them",
    {"anyOf": [PARAGRAPH.schema, {"type": "array", "items": PARAGRAPH.schema, "minItems": 1}]},
)
YES_OR_PARAGRAPH: Final = Kind(
    "the paragraph that says so; in a private file also `true`",
    {"anyOf": [PARAGRAPH.schema, FLAG.schema]},
)
PAYS: Final = Kind(
    "the rows of the pay table; a private file may write odds alone",
    {"anyOf": [_rows("bet.pays").schema, ODDS.schema]},
)
TEXTS: Final = Kind("a list of words", {"type": "array", "items": {"type": "string"}})

CITE: Final = Key("cite", PARAGRAPH, "The paragraph this stands on; a private file needs none.", '"3.15"')
REMOVED: Final = Key(
    "removed", FLAG, "In a file that is `based_on` another: take away what stands there.", "true"
)

SHAPES: Final[Mapping[str, Shape]] = {
    "rulebook": Shape(
        "[rulebook]",
        "Who the rulebook is. Everything but `game` may be left out of a private file.",
        (
            Key(
                "game",
                _string("lower-case words joined by hyphens", "^[a-z0-9]+(-[a-z0-9]+)*$"),
                "What it is called by programs; with `version` it is the id, `my-baccarat@1`.",
                '"my-baccarat"',
                needed=True,
            ),
            Key("version", _whole(1, 999), "The version; 1 where it is left out.", "2"),
            Key(
                "based_on",
                _string("a rulebook's id"),
                "Take everything from that rulebook but `[rulebook]`; the file then says only what differs.",
                '"tiger-buffalo-noncommission-insurance@3"',
            ),
            Key(
                "came_from",
                _string("a rulebook's id"),
                "What it was based on, where everything has been written out (`lammer rulebook whole`).",
                '"tiger-buffalo-noncommission-insurance@3"',
            ),
            Key(
                "title",
                TEXT,
                "What people call the game; the words of `game` where it is left out.",
                '"My Baccarat"',
            ),
            Key(
                "title_zh",
                TEXT,
                "The same in Chinese; the English where it is left out.",
                r'"\u767e\u5bb6\u4e50"',
            ),
            Key(
                "approved_by",
                _string("text"),
                "Who approved it. Whoever says so has to say everything; without it the file is private.",
                '"a regulator"',
            ),
            Key("operator", _string("text"), "Whose game it is.", '"a casino"'),
            Key(
                "in_force_from",
                MOMENT,
                "From when it holds. A private file without it holds always.",
                "2026-01-01T08:00:00+08:00",
            ),
            Key("time_zone", _string("a time zone"), "The zone of that moment.", '"Asia/Singapore"'),
            Key(
                "supersedes",
                _string("a rulebook's id"),
                "The version of the same game it puts an end to.",
                '"my-baccarat@1"',
            ),
            CITE,
        ),
    ),
    "cards": Shape(
        "[cards]",
        "The decks and what the cards are worth.",
        (
            Key(
                "decks", _table("cards.decks"), "How many decks, of which cards.", "{ fewest = 6, most = 8 }"
            ),
            Key(
                "value",
                _rows("cards.value"),
                "What each rank is worth.",
                '[{ ranks = "A 2 3", points = [1, 2, 3] }]',
            ),
            Key(
                "order",
                _table("cards.order"),
                "Who gets the first four cards.",
                '{ hands = ["player", "banker", "player", "banker"] }',
            ),
            Key("total", PARAGRAPH, "The paragraph that says a hand's total is the last digit.", '"1.16"'),
        ),
    ),
    "cards.decks": Shape(
        "decks = { … }",
        "How many decks a shoe may have, of which cards.",
        (
            Key("fewest", _whole(1, 100), "The fewest decks.", "6", needed=True),
            Key("most", _whole(1, 100), "The most decks.", "8", needed=True),
            Key("cards", _whole(1, 60), "How many cards a deck has: four of each rank.", "52"),
            Key(
                "ranks",
                _string("ranks with spaces between"),
                "The ranks of a deck that has not all thirteen.",
                '"A 2 3 4 5 6 7 8 9 J Q K"',
            ),
            CITE,
        ),
    ),
    "cards.value": Shape(
        "value = [{ … }]",
        "What some ranks are worth; every rank of the deck stands in one row.",
        (
            Key(
                "ranks",
                _string("ranks with spaces between"),
                "The ranks, a ten is `T`.",
                '"T J Q K"',
                needed=True,
            ),
            Key(
                "points",
                Kind(
                    "a list of whole numbers",
                    {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 20}},
                ),
                "What each of them is worth, in the same order.",
                "[0, 0, 0, 0]",
                needed=True,
            ),
            CITE,
        ),
    ),
    "cards.order": Shape(
        "order = { … }",
        "Who gets the first four cards.",
        (
            Key(
                "hands",
                Kind("a list of four hands", {"type": "array", "items": {"enum": [*words.SIDES]}}),
                "The hand of each card.",
                '["player", "banker", "player", "banker"]',
                needed=True,
            ),
            CITE,
        ),
    ),
    "table_of_play": Shape(
        "[table_of_play]",
        "Who draws a third card. Every total of Player, and every total of Banker against every third card, "
        "stands in one row.",
        (
            Key(
                "natural",
                _table("table_of_play.natural"),
                "The two-card totals that end the drawing.",
                "{ total = [8, 9] }",
            ),
            Key(
                "player",
                _rows("table_of_play.player"),
                "What the Player Hand does.",
                '[{ total = [0, 1, 2, 3, 4, 5], does = "draws" }, { total = [6, 7], does = "stands" }]',
            ),
            Key(
                "banker",
                _rows("table_of_play.banker"),
                "What the Banker Hand does.",
                '[{ total = 7, does = "stands" }]',
            ),
            Key(
                "play",
                _rows("table_of_play.play"),
                "Where a hand may draw: named ways to play it, the usual one first.",
                '[{ name = "careful", draws = [] }]',
            ),
        ),
    ),
    "table_of_play.natural": Shape(
        "natural = { … }",
        "The naturals.",
        (
            Key("total", _wholes(0, 9), "The two-card totals that are naturals.", "[8, 9]"),
            Key("none", FLAG, "The game knows no naturals.", "true"),
            Key(
                "ends_drawing",
                FLAG,
                "Whether a natural ends the drawing; it does where this is left out.",
                "false",
            ),
            CITE,
        ),
    ),
    "table_of_play.player": Shape(
        "player = [{ … }]",
        "What the Player Hand does with some totals of two cards.",
        (
            Key("total", _wholes(0, 9), "The totals; every total where it is left out.", "[6, 7]"),
            Key("does", _word(*words.DRAWING), "What it does.", '"stands"', needed=True),
            CITE,
        ),
    ),
    "table_of_play.banker": Shape(
        "banker = [{ … }]",
        "What the Banker Hand does with some totals of two cards.",
        (
            Key("total", _wholes(0, 9), "Its totals; every total where it is left out.", "6"),
            Key(
                "third",
                _wholes(0, 9),
                "What the Player's third card is worth; any card where it is left out.",
                "[6, 7]",
            ),
            Key("player_stood", FLAG, "The row is for a Player Hand that took no card.", "true"),
            Key("does", _word(*words.DRAWING), "What it does.", '"draws"', needed=True),
            CITE,
        ),
    ),
    "table_of_play.play": Shape(
        "play = [{ … }]",
        "A named way to play the totals with which a hand may draw.",
        (
            Key("name", NAME, "What programs call it.", '"careful"', needed=True),
            Key("title", TEXT, "What people call it.", '"Draws on 5 only"'),
            Key(
                "draws",
                Kind("rows", {"type": "array", "items": {"$ref": "#/$defs/table_of_play.play.draws"}}),
                "In which cells it draws; it stands in the others.",
                '[{ hand = "player", total = 5 }]',
            ),
        ),
    ),
    "table_of_play.play.draws": Shape(
        "draws = [{ … }]",
        "Cells in which this play draws.",
        (
            Key("hand", _word(*words.SIDES), "Whose.", '"player"', needed=True),
            Key("total", _wholes(0, 9), "With which totals.", "5"),
            Key("third", _wholes(0, 9), "For the Banker: what the Player's third card is worth.", "4"),
            Key("player_stood", FLAG, "For the Banker: the Player took no card.", "true"),
        ),
    ),
    "result": Shape(
        "[result]",
        "Where the document says who wins; a private file needs none of it.",
        (
            Key("winner", PARAGRAPH, "Where it says that the higher total wins.", '"3.16"'),
            Key("tie", PARAGRAPH, "Where it says what a tie gives back.", '"3.17"'),
            Key("bets", PARAGRAPH, "Where it says which bets there are.", '"3.7"'),
        ),
    ),
    "bet": Shape(
        "[[bet]]",
        "A bet: how it wins, what it pays, where it is offered. The Original Bets are one that wins with the "
        "Player Hand and one that wins with the Banker Hand.",
        (
            Key("name", NAME, "What programs call it.", '"big_tiger"', needed=True),
            Key(
                "title",
                TEXT,
                "What people call it; the words of the name where it is left out.",
                '"Big Tiger"',
            ),
            Key(
                "title_zh",
                TEXT,
                "The same in Chinese; the English where it is left out.",
                r'"\u5927\u8001\u864e"',
            ),
            Key(
                "original",
                _word(*words.SIDES),
                "The Original Bet on that hand. A private file need not say it of `player` and `banker`.",
                '"player"',
            ),
            Key("defined", PARAGRAPH, "Where the document says what the bet is.", '"1.3"'),
            Key(
                "wins",
                _table(CONDITION),
                "When it is decided by its pay table; in every other round it loses.",
                '{ hand = "banker", total = 6, cards = 3 }',
            ),
            Key("pays", PAYS, "What it pays.", '"50:1"'),
            Key(
                "offered",
                _table("bet.offered"),
                "On which layouts; on all where it is left out.",
                '{ layouts = "A" }',
            ),
            Key(
                "tie_returns",
                YES_OR_PARAGRAPH,
                "A tie gives it back. Where it is left out, a tie loses it.",
                "true",
            ),
            REMOVED,
        ),
    ),
    CONDITION: Shape(
        "wins = { … }",
        "When a bet wins, or when a line of a pay table counts. Everything said in it has to hold.",
        (
            Key("hand", _word("player", "banker", "either"), "That hand wins the round.", '"banker"'),
            Key("tie", FLAG, "The hands tie.", "true"),
            Key(
                "has",
                _word("player", "banker", "either", "both"),
                "That hand has what follows, whatever the result.",
                '"player"',
            ),
            Key("total", _wholes(0, 9), "… with one of these totals.", "[7, 8, 9]"),
            Key("cards", _wholes(2, 3), "… with so many cards.", "3"),
            Key("natural", FLAG, "… with a natural, or without one.", "true"),
            Key("by", _wholes(1, 9), "… by such a margin.", "[4, 5, 6, 7, 8, 9]"),
            Key("cards_dealt", _wholes(4, 6), "So many cards are dealt in the round.", "[5, 6]"),
            Key(
                "sum", _wholes(0, 18), "Both totals together come to this.", "[1, 3, 5, 7, 9, 11, 13, 15, 17]"
            ),
            Key(
                "pair",
                _word("player", "banker", "either", "both"),
                "The first two cards of that hand are a pair.",
                '"either"',
            ),
            Key(
                "suits",
                _one_or_some(*words.PAIR_SUITS),
                "… of the same suit, of one colour, of two colours.",
                '"same"',
            ),
            Key("any", _rows(CONDITION), "One of these holds.", '[{ hand = "banker" }, { tie = true }]'),
            Key("not", _table(CONDITION), "This does not hold.", "{ tie = true }"),
        ),
    ),
    "bet.pays": Shape(
        "pays = [{ … }]",
        "A line of the pay table. Of the rounds in which `wins` holds, each meets exactly one line.",
        (
            Key("odds", ODDS, "What one unit of stake wins.", '"22:1"'),
            Key("returns", FLAG, "The stake comes back.", "true"),
            Key("loses", FLAG, "The stake is lost.", "true"),
            Key("total", _wholes(0, 9), "The line is for these totals of the winning hand.", "6"),
            Key("cards", _wholes(2, 3), "… for a winning hand of so many cards.", "3"),
            Key("by", _wholes(0, 9), "… for wins by such a margin.", "9"),
            Key("natural", FLAG, "… for naturals, or for all others.", "true"),
            Key("cards_dealt", _wholes(4, 6), "… for rounds of so many cards.", "5"),
            Key("sum", _wholes(0, 18), "… where both totals together come to this.", "9"),
            Key(
                "tier",
                _one_or_some(*words.TIERS),
                "… for one pair, two, or two alike; of a bet on the pair of either hand.",
                '"double"',
            ),
            Key("when", _table(CONDITION), "… where this holds besides.", '{ has = "player", total = 8 }'),
            Key(
                "commission",
                _table("bet.pays.commission"),
                "What the House keeps; `odds` are what is left.",
                '{ rate = "5%", of = "1:1" }',
            ),
            Key(
                "cite",
                PARAGRAPHS,
                "The paragraphs this stands on; a private file needs none.",
                '["4.1.1", "1.12"]',
            ),
        ),
    ),
    "bet.pays.commission": Shape(
        "commission = { … }",
        "What the House keeps of a win.",
        (
            Key("rate", RATE, "The share it keeps.", '"5%"', needed=True),
            Key("of", ODDS, "Of what the bet would pay at these odds.", '"1:1"', needed=True),
            CITE,
        ),
    ),
    "bet.offered": Shape(
        "offered = { … }",
        "Where a bet is offered.",
        (
            Key(
                "layouts",
                _string("letters", "^[A-Z]+$"),
                "The layouts by their letters.",
                '"AB"',
                needed=True,
            ),
            CITE,
        ),
    ),
    "layouts": Shape(
        "[layouts]",
        "The layouts of the appendix. A private file that leaves them out has A, with one to nine boxes.",
        (
            Key(
                "layout",
                _rows("layouts.layout"),
                "The layouts.",
                '[{ appendix = "A", fewest = 1, most = 7 }]',
            ),
            Key("boxes", PARAGRAPH, "Where the document speaks of boxes.", '"2.1.1.a"'),
            CITE,
        ),
    ),
    "layouts.layout": Shape(
        "layout = [{ … }]",
        "One layout.",
        (
            Key("appendix", _string("one letter", "^[A-Z]$"), "Its letter.", '"A"', needed=True),
            Key("fewest", _whole(1, 99), "The fewest boxes.", "1"),
            Key("most", _whole(1, 99), "The most boxes.", "9"),
            Key("chinese", FLAG, "Its boxes are also marked in Chinese.", "true"),
            CITE,
            REMOVED,
        ),
    ),
    "insurance": Shape(
        "[insurance]",
        "Insurance, where the game has it.",
        (
            Key(
                "offer",
                _rows("insurance.offer"),
                "In which situations, at which odds.",
                '[{ hand = "player", window = "four_cards", own = 7, other = [0, 1], odds = "4:1" }]',
            ),
            Key(
                "limit",
                _rows("insurance.limit"),
                "How much may be insured.",
                '[{ odds = "10:1", share_of_maximum = "25%" }]',
            ),
            Key(
                "once",
                YES_OR_PARAGRAPH,
                "A bet insured in one window of a round is not insured in another.",
                "true",
            ),
            Key(
                "private_table",
                _table("insurance.private_table"),
                "Who may agree that a private table is offered none.",
                '{ by = "house", notice = true }',
            ),
            Key("right", PARAGRAPH, "Who may insure, and when it pays.", '"3.11"'),
            Key("windows", PARAGRAPH, "When it is offered.", '"3.12"'),
            Key("still_to_draw", PARAGRAPH, "That a card is still to come.", '"3.12.1"'),
            Key("original_bet", PARAGRAPH, "That the Original Bet is the limit.", '"3.12.2"'),
            Key("tie_returns", PARAGRAPH, "That a tie gives it back.", '"4.2.1"'),
            REMOVED,
        ),
    ),
    "insurance.offer": Shape(
        "offer = [{ … }]",
        "Insurance of a hand standing on one of `own` points against one of `other`. After `two_cards` "
        "nothing of the other hand is shown yet, and `other` is left out.",
        (
            Key("hand", _word(*words.SIDES), "The hand insured.", '"player"', needed=True),
            Key(
                "window",
                _word(*words.WINDOWS),
                "With one hand shown and the other not, after four cards, or after the Player's third.",
                '"four_cards"',
                needed=True,
            ),
            Key("own", _wholes(0, 9), "The totals of that hand.", "7", needed=True),
            Key(
                "other",
                _wholes(0, 9),
                "The totals of the other hand, once it is shown.",
                "[0, 1, 2, 3, 4, 5]",
            ),
            Key("odds", ODDS, "What it pays.", '"4:1"'),
            Key("tie_wins", YES_OR_PARAGRAPH, "A tie pays it.", "true"),
            Key(
                "tie_loses",
                YES_OR_PARAGRAPH,
                "A tie loses it; where neither is said, a tie returns it.",
                "true",
            ),
            CITE,
            REMOVED,
        ),
    ),
    "insurance.limit": Shape(
        "limit = [{ … }]",
        "How much may be insured.",
        (
            Key("odds", ODDS, "The limit is for these odds.", '"10:1"'),
            Key("window", _word(*words.WINDOWS), "The limit is for this window.", '"third_card"'),
            Key("share_of_maximum", RATE, "At most this share of the table's maximum.", '"25%"'),
            Key("share_of_original", RATE, "At most this share of the Original Bet.", '"50%"'),
            Key("winnings_of_original", RATE, "It may win at most this share of the Original Bet.", '"100%"'),
            CITE,
            REMOVED,
        ),
    ),
    "insurance.private_table": Shape(
        "private_table = { … }",
        "A private table without Insurance.",
        (
            Key("by", _word(*words.DECIDERS), "Who agrees to it.", '"house"', needed=True),
            Key("notice", FLAG, "Whether a notice has to say so.", "true"),
            CITE,
        ),
    ),
    "squeeze": Shape(
        "[squeeze]",
        "Who may ask to squeeze the cards.",
        (
            Key("right", _word(*words.SQUEEZERS), "Who, with the highest bet.", '"player"'),
            Key(
                "waivers",
                _some(*words.SQUEEZE_REQUESTS),
                "Which requests waive Insurance after the third card.",
                '["squeeze_banker_third_first"]',
            ),
            Key("waiver_cite", PARAGRAPH, "Where the document says so.", '"3.14"'),
            CITE,
        ),
    ),
    "irregularity": Shape(
        "[[irregularity]]",
        "Something that goes wrong, and what the rules say of it. A private file that lists none has the "
        "usual ones; a file that lists some has no others.",
        (
            Key("name", _word(*sorted(IRREGULARITIES)), "Which.", '"void"', needed=True),
            Key("title", TEXT, "What people call it.", '"A void round"'),
            Key("steps", _rows("irregularity.steps"), "What is done.", '[{ does = "return_bets" }]'),
            Key(
                "options",
                _table("irregularity.options"),
                "When the players get the options of a dealing error.",
                '{ when = "no_outcome" }',
            ),
            CITE,
            REMOVED,
        ),
    ),
    "irregularity.steps": Shape(
        "steps = [{ … }]",
        "One thing the rules allow or demand.",
        (
            Key("does", _word(*words.DOES), "What.", '"void_round"', needed=True),
            Key("when", _word(*words.WHEN), "When; always where it is left out.", '"no_outcome"'),
            Key(
                "by",
                _word(*words.DECIDERS),
                "By whom; by the rules alone where it is left out.",
                '"pit_supervisor"',
            ),
            Key(
                "discretion",
                _word(*words.DISCRETION),
                "At whose discretion; nobody's where it is left out.",
                '"reasonable"',
            ),
            CITE,
        ),
    ),
    "irregularity.options": Shape(
        "options = { … }",
        "When players get options.",
        (Key("when", _word(*words.WHEN), "When.", '"no_outcome"', needed=True), CITE),
    ),
    "role": Shape(
        "[[role]]",
        "A person the rules give something to do; a private file that lists none knows all five.",
        (Key("name", _word(*words.ROLES), "Who.", '"dealer"', needed=True), CITE, REMOVED),
    ),
    "reading": Shape(
        "[[reading]]",
        "How a place is read that can be read two ways. Which choices the code can follow stands in the "
        "readings' own page.",
        (
            Key("name", NAME, "Which reading.", '"rounding"', needed=True),
            Key("question", TEXT, "What is asked.", '"What happens to a fraction of a cent?"'),
            Key("choice", TEXT, "How it is read.", '"down_to_the_cent"'),
            Key("alternatives", TEXTS, "What else a table may choose.", '["even_stakes_only"]'),
            Key("because", TEXT, "Why.", '"No document says."'),
            Key("cites", PARAGRAPHS, "The paragraphs it reads.", '["4.1.1"]'),
            REMOVED,
        ),
    ),
    "paragraph": Shape(
        "[[paragraph]]",
        "A paragraph of the document, and what answers for it. A private file may have none.",
        (
            Key("number", PARAGRAPH, "Its number, or `title`.", '"4.1.3"', needed=True),
            Key("gist", TEXT, "What it says, in your own words.", '"What Lucky Eight pays"'),
            Key("behaviour", _some(*BEHAVIOURS), "What Lammer does that answers for it.", '["bet_pays"]'),
            Key("not_executable", TEXT, "Or why nothing can answer for it.", '"A heading."'),
            Key(
                "sha256",
                _string("64 hexadecimal digits", "^[0-9a-f]{64}$"),
                "Of the approved text with white space folded.",
                '"' + 64 * "0" + '"',
            ),
            Key("lost_after", PARAGRAPH, "The paragraph before one whose number the text lost.", '"1.3"'),
            REMOVED,
        ),
    ),
}

WHOLE_FILE: Final = tuple(shape for shape in SHAPES if "." not in shape and shape != CONDITION)
"""The tables a file is made of."""


def shape_of(path: tuple[str | int, ...]) -> str:
    """Which shape a table has that stands at this place of a file.

    >>> shape_of(("bet", 2, "pays", 0)), shape_of(("bet", 2, "wins", "any", 0, "not"))
    ('bet.pays', 'condition')
    """
    steps = [step for step in path if isinstance(step, str)]
    if steps[:2] == ["bet", "wins"] or steps[:3] == ["bet", "pays", "when"]:
        return CONDITION
    return ".".join(steps)


def keys_at(path: tuple[str | int, ...]) -> tuple[str, ...]:
    """The whole vocabulary of a place, in the order of the reference.

    >>> keys_at(("bet", 0, "offered"))
    ('layouts', 'cite')
    """
    if not path:
        return WHOLE_FILE
    shape = SHAPES.get(shape_of(path))
    return tuple(key.name for key in shape.keys) if shape else ()
