"""Refusals a player meets, in Chinese. The table speaks English; here its sentences are said over again.

A sentence is known by its shape, and its amounts and names are carried over. One that is not known is said by
its code; where even that is unknown the English stands, which is better than silence.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from lammer.floor.api.problems import Problem
from lammer.floor.pages.words import Language

_SIDES: Final = {"player": "闲", "banker": "庄", "Player": "闲", "Banker": "庄"}

_SHAPES: Final = tuple(
    (re.compile(shape), told)
    for shape, told in (
        (r'Bets are closed for round (\d+): "No more Bets" was called\.', "第 {0} 局已停止下注。"),
        (r"A card has been dealt; bets can no longer be withdrawn\.", "已经发牌，不能再收回注码。"),
        (r"The next round opens after settlement\.", "派彩之后开始下一局。"),
        (r"No round is under way\.", "目前没有进行中的牌局。"),
        (r"Open the betting first\.", "请等待荷官开始下注。"),
        (r"Nobody sits at box (\d+)\.", "{0} 号位没有人入座。"),
        (r"Take the seat first\.", "请先入座。"),
        (r"(.+), who sits at box (\d+), has not bet yet\.", "坐在 {1} 号位的 {0} 还没有下注。"),
        (r"Bet after (.+)\.", "请在 {0} 之后下注。"),
        (r"(.+) on (\w+) is above the maximum of (.+)\.", "{0} 超过最高投注额 {2}。"),
        (r"Up to (.+) may be bet\.", "最多可下注 {0}。"),
        (r"(.+) on (\w+) is below the minimum of (.+)\.", "{0} 低于最低投注额 {2}。"),
        (r"Bet at least (.+)\.", "请至少下注 {0}。"),
        (r"(.+) would stay, below the minimum of (.+)\.", "余下的 {0} 低于最低投注额 {1}。"),
        (r"Withdraw all of it, or leave the minimum\.", "请全部收回，或留下最低投注额。"),
        (
            r"Box (\d+) may take (.+) more on (\w+): its sides may differ by (.+)\.",
            "{0} 号位的{2}只能再收 {1}：庄闲差额上限为 {3}。",
        ),
        (r"Up to (.+) on (\w+) is free\.", "{1}方还可下注 {0}。"),
        (r"(.+) has (.+) left at this table and stakes (.+)\.", "本桌余额 {1}，不足以下注 {2}。"),
        (r"Stake less, or leave the table as it is\.", "请减少注码。"),
        (r"(.+) has no bet to take back\.", "没有可以收回的注码。"),
        (r"(.+) has not played a round here that could be made again\.", "还没有可以重复的上一局。"),
        (r"Choose a chip and a bet\.", "请选择筹码和投注区。"),
        (r"Round (\d+) is interrupted\.", "第 {0} 局已中断。"),
        (r"A person resolves the interruption first\.", "请等待工作人员处理。"),
        (r"(.+) sits at box (\d+)\.", "{0} 坐在 {1} 号位。"),
        (r"Leave that seat first\.", "请先离开原座位。"),
        (r"(.+) has no seat\.", "{0} 没有座位。"),
        (r"This table has boxes 1 to (\d+), not (\d+)\.", "本桌只有 1 至 {0} 号位。"),
        (r"(The \w+) is (.*)\.", "输入有误：{1}。"),
        (r"Write it like 100 or 47\.50, above zero\.", "请填写大于零的金额，例如 100 或 47.50。"),
        (r"Choose a box of this table\.", "请选择本桌的一个位置。"),
        (r"Insurance is not open now\.", "现在不能买保险。"),
        (
            r"It opens after four cards and after the Player's third, while a card is to come\.",
            "发出四张牌之后，以及闲家补牌之后还要再发牌时，可以买保险。",
        ),
        (r"Insurance on the (\w+) Hand is not on offer now\.", "现在没有{0}的保险。"),
        (r"(.+) let Insurance pass in this round\.", "本局已放弃保险。"),
        (r"(.+) has no Original Bet on (\w+) in box (\d+)\.", "{2} 号位没有{1}的原注。"),
        (r"(.+) bets (.+) Insurance, more than .+\.", "保险金额 {1} 超过上限。"),
        (r"Up to (.+) more may be bet\.", "还可下注 {0}。"),
        (r"(.+) is not being asked\.", "现在没有需要你选择的事项。"),
        (r"(.+) has answered: (\w+)\.", "你已经选择过了。"),
        (r"(.+) was not given the squeeze\.", "你没有获准眯牌。"),
        (
            r"The player with the highest bet asks, and the House consents\.",
            "由投注最高的玩家提出，并须赌场同意。",
        ),
        (
            r"The (?:seated )?player with the highest bet may ask, not (.+)\.",
            "只有投注最高的玩家可以要求眯牌。",
        ),
        (r"Cards are dealt face up here\.", "本桌发明牌。"),
        (r"The Player's cards are opened before the Banker's third\.", "先开闲家的牌，再开庄家的第三张。"),
        (r"The house is closing\.", "赌场正在关闭。"),
        (r"Try again in a moment\.", "请稍后再试。"),
        (r"There is no table (.+) in this house\.", "没有名为 {0} 的赌桌。"),
        (r"The lobby lists the tables\.", "大厅列出所有赌桌。"),
        (
            r"This form does not come from a page of this house, or is too old\.",
            "此表单不是由本站页面提交，或已过期。",
        ),
        (r"Load the page again and repeat it\.", "请刷新页面后重试。"),
        (r"This needs a person who is signed in\.", "请先登录。"),
        (r"Sign in\.", "请登录。"),
    )
)

_CODES: Final = {
    "store_unavailable": "记录暂时无法写入，尚未确认。",
    "table_held_elsewhere": "赌桌正在转移，请稍后再试。",
    "table_stopped": "本桌已停止，没有写入任何内容。",
    "not_your_role": "你的角色不能执行此操作。",
    "malformed_input": "输入有误。",
    "does_not_pay_evenly": "此注码的彩金不是整分，本桌不接受。",
    "not_on_this_layout": "本布局不提供此投注。",
    "unknown_bet": "没有此投注。",
    "key_reused": "请刷新页面后重试。",
}


def in_language(made: Problem, language: Language) -> Problem:
    """A problem in the reader's language, paragraph and code as they were."""
    if language == "en":
        return made
    detail = _said(made.detail) or _CODES.get(made.code) or made.detail
    return msgspec.structs.replace(made, detail=detail, next=_said(made.next) or made.next)


def _said(sentence: str) -> str:
    """A sentence in Chinese, or nothing where its shape is not known.

    >>> _said("Box 3 may take 0.00 more on banker: its sides may differ by 10000.00.")
    '3 号位的庄只能再收 0.00：庄闲差额上限为 10000.00。'
    """
    for shape, told in _SHAPES:
        match = shape.fullmatch(sentence)
        if match is not None:
            return told.format(*(_SIDES.get(part, part) for part in match.groups()))
    return ""
