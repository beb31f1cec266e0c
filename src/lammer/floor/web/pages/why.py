"""What a paragraph behind a settlement says, in a few words: a line of money can be read without the text.

The gists are the rulebook's own; their Chinese stands here. One without Chinese is left out there: its number
is a link to the rules.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from lammer.rulebook.model import Rulebook
from lammer.wording.catalogues import Language

SETTLES: Final = frozenset(
    ("winner", "bet_wins", "bet_pays", "commission", "tie_returns", "insurance_pays", "insurance_windows",
     "insurance_right", "insurance_on_tie")
)  # fmt: skip
"""What a paragraph does that a settlement may cite."""

_CHINESE: Final = {
    "A bet at fixed odds offered before a third card is drawn": "补牌之前按固定赔率提供的投注",
    "A bet on the Player or the Banker Hand": "押闲或押庄的投注",
    "A tie returns Insurance, with two exceptions": "和局退回保险，两种情形除外",
    "A tie returns Original Bets": "和局退回原注",
    "A tie returns Original Bets and Insurance, save the exception": "和局退回原注和保险，例外情形除外",
    "Banker 7 over Player 6": "庄 7 点胜闲 6 点",
    "Banker 8 over Player 7": "庄 8 点胜闲 7 点",
    "Banker 9 over Player 8": "庄 9 点胜闲 8 点",
    "Banker Insurance after the third card against Player 0 is paid when the Banker draws to 0": (
        "闲 0 点时补牌后的庄保险，庄补至 0 点即派彩"
    ),
    "Banker is paid even money, half of it when winning on 6": "庄赢 1 赔 1，以 6 点赢则赔一半",
    "Banker wins by one point on 7, 8 or 9, paid by the number of cards": (
        "庄以 7、8 或 9 点胜一点，按牌数派彩"
    ),
    "Banker wins on 6 with two or three cards": "庄以两张或三张牌 6 点胜",
    "Banker wins with three cards on 6": "庄以三张牌 6 点胜",
    "Banker wins with three cards on 7": "庄以三张牌 7 点胜",
    "Banker wins with two cards on 6": "庄以两张牌 6 点胜",
    "Banker wins with two cards on 7": "庄以两张牌 7 点胜",
    "Both hands end on 6": "庄闲同为 6 点",
    "Both hands end on the same total": "庄闲点数相同",
    "Cards one and three go to Player, two and four to Banker; they decide the pair bets": (
        "第一、三张发给闲，第二、四张发给庄；由此定对子"
    ),
    "Either hand wins on 6": "任一方以 6 点胜",
    "Every situation in which Insurance is offered, and its odds": "可买保险的各种情形及赔率",
    "Insurance is offered after four cards and after the Player's third card": (
        "发出四张牌之后及闲家补牌之后可买保险"
    ),
    "One hand, both hands, or both hands alike start with a pair": "一方成对、双方成对或双方同对",
    "Player 7 over Banker 6": "闲 7 点胜庄 6 点",
    "Player 8 over Banker 7": "闲 8 点胜庄 7 点",
    "Player 9 over Banker 8": "闲 9 点胜庄 8 点",
    "Player Insurance on two or three cards, Banker Insurance on two, while third-card rules apply": (
        "补牌规则适用时，闲保险限两张或三张牌，庄保险限两张牌"
    ),
    "Player Insurance after the third card on 9 is paid when the Banker draws to 9": (
        "闲 9 点时补牌后的闲保险，庄补至 9 点即派彩"
    ),
    "Player wins by one point on 7, 8 or 9, paid by the number of cards": (
        "闲以 7、8 或 9 点胜一点，按牌数派彩"
    ),
    "Player wins on 1": "闲以 1 点胜",
    "Player wins with three cards on 6": "闲以三张牌 6 点胜",
    "Player wins with three cards on 7": "闲以三张牌 7 点胜",
    "Player wins with two cards on 6": "闲以两张牌 6 点胜",
    "Player wins with two cards on 7": "闲以两张牌 7 点胜",
    "The House keeps 5% of a winning Banker bet": "庄赢抽佣 5%",
    "The first two cards of that hand are a pair": "该方首两张牌成对",
    "The higher total wins": "点数大者胜",
    "What Banker and Player pay": "庄、闲的赔率",
    "What Big and Small Buffalo pay, and on which layouts": "大、小水牛的赔率及适用布局",
    "What Big and Small Tiger and Buffalo pay, and on which layouts": "大、小老虎与水牛的赔率及适用布局",
    "What Big and Small Tiger pay, and on which layouts": "大、小老虎的赔率及适用布局",
    "What Char Siu pays by number of cards, and on which layouts": "叉烧按牌数的赔率及适用布局",
    "What Tie pays, and on which layouts": "和的赔率及适用布局",
    "What Tiger Buffalo pays, and on which layouts": "老虎水牛的赔率及适用布局",
    "What Tiger Pair pays, and on which layouts": "老虎对的赔率及适用布局",
    "What Tiger Tie pays, and on which layouts": "老虎和的赔率及适用布局",
    "What Tiger pays, and on which layouts": "老虎的赔率及适用布局",
    "What Wu Dalang pays, and on which layouts": "武大郎的赔率及适用布局",
    "What every bet but Insurance pays": "除保险外各注的赔率",
    "What the Banker 7 bets pay, and on which layouts": "庄 7 各注的赔率及适用布局",
    "What the Player 7 bets pay, and on which layouts": "闲 7 各注的赔率及适用布局",
    "What the pair bets pay, and on which layouts": "对子的赔率及适用布局",
    "Who has an Original Bet may insure it; Insurance pays when that hand loses": (
        "有原注者可以投保；该方输时保险派彩"
    ),
}


Meaning = tuple[str, bool]
"""What a paragraph says, and whether that is when a bet wins."""


def meanings(book: Rulebook, cites: Iterable[str], language: Language) -> dict[str, Meaning]:
    """What each of these paragraphs says, where it can be said in that language.

    >>> from lammer import rulebook
    >>> book = rulebook("tiger-buffalo-noncommission-insurance@3")
    >>> meanings(book, ["3.16"], "en"), meanings(book, ["1.30"], "zh")
    ({'3.16': ('The higher total wins', False)}, {'1.30': ('庄以两张牌 6 点胜', True)})
    """
    made: dict[str, Meaning] = {}
    for number in cites:
        paragraph = book.paragraphs.get(number)
        gist = paragraph.gist if paragraph else ""
        told = _CHINESE.get(gist, "") if language == "zh" else gist
        if paragraph and told:
            made[number] = told, "bet_wins" in paragraph.behaviours
    return made
