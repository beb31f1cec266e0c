"""Refusals a player meets, in Chinese. The table speaks English; here its sentences are said over again.

A sentence is known by its shape, and its amounts and names are carried over. One that is not known is said by
its code; where even that is unknown the English stands, which is better than silence. `MEETS` are the codes a
player can come by.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from lammer.floor.web.pages.phrases import SIDES, Phrases
from lammer.floor.web.problems import Problem, problem
from lammer.rulebook.refusal import Refused
from lammer.wording.catalogues import Language

_PHRASES: Final = Phrases.of(
    (r'Bets are closed for round (\d+): "No more Bets" was called\.', "第 {0} 局已停止下注。"),
    (r"A card has been dealt; bets can no longer be withdrawn\.", "已经发牌，不能再收回注码。"),
    (
        r"This was meant for round (\d+); round (\d+) is at the table now\.",
        "这是第 {0} 局的请求，现在是第 {1} 局。",
    ),
    (r"Look at the table, and ask again if it is still wanted\.", "请看清赌桌，需要时再提出。"),
    (r"The next round opens after settlement\.", "派彩之后开始下一局。"),
    (r"No round is under way\.", "目前没有进行中的牌局。"),
    (r"Open the betting first\.", "请等待荷官开始下注。"),
    (r"Nobody sits at box (\S+)\.", "{0} 号位没有人入座。"),
    (r"Take the seat first\.", "请先入座。"),
    (r"(.+), who sits at box (\S+), has not bet yet\.", "坐在 {1} 号位的 {0} 还没有下注。"),
    (r"Bet after (.+)\.", "请在 {0} 之后下注。"),
    (r"(.+) on (\w+) is above the maximum of (.+)\.", "{0} 超过最高投注额 {2}。"),
    (r"Up to (\S+) may be bet\.", "最多可下注 {0}。"),
    (r"(.+) on (\w+) is below the minimum of (.+)\.", "{0} 低于最低投注额 {2}。"),
    (r"Bet at least (.+)\.", "请至少下注 {0}。"),
    (r"(.+) would stay, below the minimum of (.+)\.", "余下的 {0} 低于最低投注额 {1}。"),
    (r"Withdraw all of it, or leave the minimum\.", "请全部收回，或留下最低投注额。"),
    (
        r"Box (\S+) may take (.+) more on (\w+): its sides may differ by (.+)\.",
        "{0} 号位的{2}只能再收 {1}：庄闲差额上限为 {3}。",
    ),
    (r"Up to (.+) on (\w+) is free\.", "{1}方还可下注 {0}。"),
    (
        r"(.+) has (\S+) at this table and (\S+) in the purse, and stakes (.+)\.",
        "本桌筹码 {1}，钱包 {2}，不足以下注 {3}。",
    ),
    (r"Stake less, or take chips away from another table first\.", "请减少注码，或先从其他赌桌取回筹码。"),
    (r"(.+) has (\S+) in the purse, not (.+)\.", "钱包只有 {1}，不足 {2}。"),
    (r"Bring less, or take chips away from another table first\.", "请减少金额，或先从其他赌桌取回筹码。"),
    (r"(.+) has (\S+) at this table and takes (.+) away\.", "本桌筹码 {1}，不能取回 {2}。"),
    (
        r"Take away what is there; what lies on the felt comes back when the round is settled\.",
        "只能取回现有筹码；台面上的注码派彩后才退回。",
    ),
    (r"Chips are not counted in this house; everybody bets without them\.", "本赌场不计筹码，可直接下注。"),
    (r"Place the bet\.", "请直接下注。"),
    (r"Chips of (.+) were moved meanwhile\.", "{0} 的筹码刚刚有变动。"),
    (r"(.+) has no bet to take back\.", "没有可以收回的注码。"),
    (r"(.+) has not played a round here that could be made again\.", "还没有可以重复的上一局。"),
    (r"Choose a chip and a bet\.", "请选择筹码和投注区。"),
    (r"Round (\d+) is interrupted\.", "第 {0} 局已中断。"),
    (r"A person resolves the interruption first\.", "请等待工作人员处理。"),
    (r"(.+) sits at box (\S+)\.", "{0} 坐在 {1} 号位。"),
    (r"Leave that seat first\.", "请先离开原座位。"),
    (r"(.+) has no seat\.", "{0} 没有座位。"),
    (r"This table has boxes 1 to (\d+), not (\d+)\.", "本桌只有 1 至 {0} 号位。"),
    (r"The table is not set up yet\.", "本桌尚未设置。"),
    (r"Set the table first\.", "请等待经理设置。"),
    (r"The (?:box|place) is (.*)\.", "没有 {0} 这个位置。"),
    (r".+ is (.+), more than (.+)\.", "金额 {0} 太大，最多 {1}。"),
    (r"(?:The (?:amount|stake)|.+'s stake) is (.*)\.", "金额 {0} 无效。"),
    (r"(.+) has no (\w+) bet in box (\S+)\.", "{2} 号位没有这一注。"),
    (r"(.+) has (.+) there, not (.+)\.", "该注只有 {1}，不是 {2}。"),
    (r"Write it like 100 or 47\.50, above zero\.", "请填写大于零的金额，例如 100 或 47.50。"),
    (r"Choose a box of this table\.", "请选择本桌的一个位置。"),
    (r"Insurance is not open now\.", "现在不能买保险。"),
    (
        r"It opens after four cards and after the Player's third, while a card is to come\.",
        "发出四张牌之后，以及闲家补牌之后还要再发牌时，可以买保险。",
    ),
    (r"Insurance on the (\w+) Hand is not on offer now\.", "现在没有{0}的保险。"),
    (r"(.+) let Insurance pass in this round\.", "本局已放弃保险。"),
    (r"(.+) has no Original Bet on (\w+) in box (\S+)\.", "{2} 号位没有{1}的原注。"),
    (r"(.+) bets (.+) Insurance, more than .+\.", "保险金额 {1} 超过上限。"),
    (r"Up to (.+) more may be bet\.", "还可下注 {0}。"),
    (r"(.+) bets (.+) more Insurance than .+\.", "保险金额 {1} 超过上限。"),
    (
        r"It is offered in the situations the pay table lists, while a card is to come\.",
        "赔率表所列的情况下，还要发牌时才提供。",
    ),
    (r"(.+) has insured all of that bet\.", "这一注已经全额投保。"),
    (r"(.+) has said so already\.", "你已经表示过要买保险。"),
    (r"Take the Insurance bet\.", "请下保险注。"),
    (r"(.+) has not said that they will insure there\.", "你没有表示要在那里买保险。"),
    (r"(.+) said in time that they will insure\.", "{0} 已及时表示要买保险。"),
    (r"Take the Insurance bet first, or record that it is declined\.", "请等待。"),
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
    (
        r"A squeeze is asked for before the card is dealt, and no card is to come\.",
        "眯牌须在发牌之前提出，而本局不再发牌。",
    ),
    (r"Ask in the next round, before its cards are dealt\.", "请在下一局发牌之前提出。"),
    (r"The Banker's third card has been dealt\.", "庄家的第三张牌已经发出。"),
    (r"The Player takes no third card\.", "闲家不补牌。"),
    (r"The Player's third card is open already\.", "闲家的第三张牌已经翻开。"),
    (r"It is asked for before that card is dealt\.", "须在那张牌发出之前提出。"),
    (r"The squeeze was asked for after this card was dealt\.", "提出眯牌时这张牌已经发出。"),
    (r"The dealer opens this card\.", "这张牌由荷官翻开。"),
    (r"Cards lie where the rules did not send them\.", "牌不在规则规定的位置。"),
    (r"Reconstruct them, or void the round if that cannot be done\.", "请等待工作人员处理。"),
    (r"(\w\w) is face up already\.", "{0} 已经翻开。"),
    (r"The (\w+) hand has no card (\d+)\.", "{0}没有第 {1} 张牌。"),
    (r"The (\w+)'s card (\d+) is still face down\.", "{0}的第 {1} 张牌还没有翻开。"),
    (r"Open (?:it|them) first\.", "请先翻开。"),
    (
        r"Open the Player's cards, or ask for the Banker's third card first\.",
        "请先开闲家的牌，或要求先开庄家的第三张。",
    ),
    (r"The first four cards are not all open(?: yet)?\.", "首四张牌还没有全部翻开。"),
    (r"Ask again when they are\.", "翻开之后可以再提出。"),
    (r"There is no Player's third card still to be opened\.", "没有未开的闲家第三张牌。"),
    (
        r"The Banker's third card is not certain on (\d+) before the Player's is seen\.",
        "庄家 {0} 点，看到闲家的牌之前不能确定是否补牌。",
    ),
    (r".+ knows no such request\.", "本规则没有这样的请求。"),
    (r"A Table Game Shift Manager or above may rule on it\.", "可由值班经理或以上裁决。"),
    (r"Betting is still open\.", "仍在下注。"),
    (r"Close it first\.", "请等待停止下注。"),
    (r"Players are being asked what they choose\.", "正在等待玩家选择。"),
    (r"Close the options first; who does not answer continues\.", "请等待；不回答视为继续。"),
    (r"A dealing error was reported and waits to be confirmed\.", "已报告发牌错误，等待确认。"),
    (r"A Pit Supervisor or above confirms it, or says that it was none\.", "请等待赌区主管或以上确认。"),
    (r"Players may still withdraw their bets\.", "玩家仍可收回注码。"),
    (r"Close the withdrawal first\.", "请等待。"),
    (r"This private table asked not to be offered Insurance\.", "本私人桌不提供保险。"),
    (
        r"Insurance after the Player's third card was waived for this round\.",
        "本局闲家补牌之后的保险已经放弃。",
    ),
    (r"\S+ has no Insurance\.", "本玩法不设保险。"),
    (r"Choose a rulebook with Insurance Plus\.", "请选择设有保险的赌桌。"),
    (r"\S+ has no bet (.+)\.", "没有 {0} 这种投注。"),
    (r"Layout (\w+) does not offer (.+)\.", "布局 {0} 不提供 {1}。"),
    (r"It has (.+)\.", "可选：{0}。"),
    (r"Layouts with it: (.+)\.", "提供此注的布局：{0}。"),
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
    (r"This request comes from a page of another site\.", "此请求来自其他网站的页面。"),
    (r"Open the house's own page and do it there\.", "请打开本场的页面操作。"),
    (r"This needs a person who is signed in\.", "请先登录。"),
    (r"Sign in\.", "请登录。"),
    (r"Sign in, or use your link\.", "请登录，或使用你的链接。"),
    (r"(.+) is (?:[\w ]+); this is for (?:.+)\.", "{0} 的角色不能使用此页。"),
    (r"Ask one of them\.", "请联系工作人员。"),
    (r".+ may not do this; it takes a .+\.", "你的角色不能执行此操作。"),
    (r"(.+) may not act for (.+)\.", "{0} 不能代 {1} 操作。"),
    (r"A player asks the dealer, who may place bets for him\.", "可以请荷官代为下注。"),
    (r".+ may not act at a table\.", "你的角色不能在赌桌上操作。"),
    (r"Ask whoever deals\.", "请联系荷官。"),
    (r"Ask a .+\.", "请联系工作人员。"),
    (r"Table (.+) has no round (\d+)\.", "赌桌 {0} 没有第 {1} 局。"),
    (r"The name or the password is wrong\.", "姓名或密码错误。"),
    (r"The old password is wrong\.", "原密码错误。"),
    (r"Try again, or ask an administrator for a sign-in link\.", "请重试，或向管理员索取登录链接。"),
    (
        r"Too many sign-ins were tried; the next one may be made in (\d+) seconds?\.",
        "登录次数过多，请在 {0} 秒后再试。",
    ),
    (r"Wait, or ask an administrator for a sign-in link\.", "请等待，或向管理员索取登录链接。"),
    (r"The account (.+) is disabled\.", "账户 {0} 已停用。"),
    (r"Ask an administrator\.", "请联系管理员。"),
    (
        r"This sign-in link was used already, is too old, or never was one\.",
        "此登录链接已用过、已过期或无效。",
    ),
    (r"Ask an administrator for a new one\.", "请向管理员索取新链接。"),
    (r"This code is wrong, or was used already\.", "验证码错误，或已使用过。"),
    (
        r"Wait for the next code of your app, or use a recovery code\.",
        "请等待应用的下一个验证码，或使用恢复码。",
    ),
    (r"This passkey does not fit what it was asked\.", "通行密钥验证未通过。"),
    (r"Try again, or use another way\.", "请重试，或使用其他方式。"),
    (r"This sign-in took too long, or was tried too often\.", "登录超时，或尝试次数过多。"),
    (r"Begin again with your name and password\.", "请重新输入姓名和密码。"),
    (r"This account signs in with a second factor too\.", "此账户登录还需要双重验证。"),
    (
        r"Send the code of your app, or a recovery code, or sign in on the page\.",
        "请提供应用的验证码或恢复码，或在网页上登录。",
    ),
    (r"(.+) has an authenticator app already\.", "{0} 已设置验证器应用。"),
    (r"Remove that one first\.", "请先移除原有的。"),
    (r"An account has at most (\d+) passkeys\.", "一个账户最多 {0} 个通行密钥。"),
    (r"Remove one first\.", "请先移除一个。"),
    (r"(.+) has no such second factor\.", "{0} 没有这项双重验证。"),
    (r"Look at the list again\.", "请重新查看列表。"),
    (r"This house uses no second factor\.", "本场不使用双重验证。"),
    (r"LAMMER_SECOND_FACTOR turns it on\.", "可由管理服务器的人开启。"),
    (
        r"This house asks its staff for a second factor, and you have none yet\.",
        "本场要求员工使用双重验证，你尚未设置。",
    ),
    (r"Set one up on the page Your second factor\.", "请在“你的双重验证”页面设置。"),
    (r"A password has at least (\d+) characters\.", "密码至少 {0} 个字符。"),
    (r"A password has at most (.+) characters\.", "密码最多 {0} 个字符。"),
    (r"This password is among the first that anybody tries\.", "此密码太容易被猜到。"),
    (
        r"This password is made of words, years and rows of keys that are tried first\.",
        "此密码由常见词语、年份或键盘顺序组成，太容易被猜到。",
    ),
    (r"This password is little more than the account's name\.", "密码不能与账户名相近。"),
    (r"Four or five words chosen at random do well\.", "可以用四五个随机的词组成。"),
    (
        r"Table (.+) stopped because something of ours is wrong; nothing was written\.",
        "赌桌 {0} 因系统故障停止，没有写入任何内容。",
    ),
    (r"Look at the table again; the pit has been told\.", "请再看一次赌桌；已通知工作人员。"),
    (r"(.+): what is read is not what was written\.", "读到的内容与写入的不符。"),
    (
        r"Stop the house, keep the database as it is and run lammer verify; restore a copy\.",
        "请通知工作人员检查记录。",
    ),
    (r"Table (.+) is between two processes\.", "赌桌 {0} 正在转移。"),
    (r"Send the request again in a moment\.", "请稍后再试。"),
    (r"The house's record cannot be reached or written just now .*\.", "记录暂时无法写入，尚未确认。"),
    (r"Table (.+) stands at event .+\.", "赌桌 {0} 的情况已有变化。"),
    (r"Look at the table again and repeat the request\.", "请再看一次赌桌后重试。"),
    (r"Table (.+) is held by .+\.", "赌桌 {0} 正在转移。"),
    (r"Send the request again; it will reach the process that holds the table\.", "请稍后再试。"),
    (r"The idempotency key .+ belongs to another request\.", "此请求已经用过。"),
    (r"Use a new key for a new request\.", "请刷新页面后重试。"),
    (r"Repeat the request with the same key; it will count once\.", "请重试；同一请求只计一次。"),
    (r".+ has (\d+) letters; (\d+) may be written\.", "共 {0} 个字，最多 {1} 个。"),
    (r"The (?:\w+) is a whole number, not (.+)\.", "应为整数，不是 {0}。"),
    (r"There is no command (.+)\.", "没有 {0} 这个操作。"),
    word=lambda part: SIDES.get(part, part),
)

_CODES: Final = {
    "malformed_input": "输入有误。",
    "not_an_amount": "金额无效。",
    "amount_too_large": "金额太大。",
    "unknown_bet": "没有此投注。",
    "not_on_this_layout": "本布局不提供此投注。",
    "not_a_player": "缺少玩家姓名。",
    "no_such_box": "本桌没有这个位置。",
    "does_not_pay_evenly": "此注码的彩金不是整分，本桌不接受。",
    "no_insurance_here": "本玩法不设保险。",
    "insurance_not_on_offer": "现在没有这一方的保险。",
    "nothing_to_insure": "没有可以投保的原注。",
    "insurance_above_original_bet": "保险金额不能超过原注。",
    "insurance_above_share_of_maximum": "保险金额超过上限。",
    "table_not_set_up": "本桌尚未设置。",
    "not_your_role": "你的角色不能执行此操作。",
    "not_your_bet": "不能代别人操作。",
    "no_such_rule": "本规则没有相应条款。",
    "no_round": "目前没有进行中的牌局。",
    "round_is_interrupted": "本局已中断，等待工作人员处理。",
    "options_are_open": "正在等待玩家选择。",
    "error_to_be_confirmed": "已报告发牌错误，等待确认。",
    "withdrawal_is_open": "玩家仍可收回注码。",
    "bets_are_closed": "已停止下注。",
    "another_round": "这是另一局的请求。",
    "bets_are_open": "仍在下注。",
    "box_is_taken": "该位置已有人入座。",
    "already_seated": "你已坐在另一个位置。",
    "not_seated": "你没有座位。",
    "no_seated_player": "该位置没有人入座。",
    "seated_player_first": "坐在该位置的玩家还没有下注。",
    "no_such_bet": "没有这一注。",
    "below_minimum": "低于最低投注额。",
    "above_maximum": "超过最高投注额。",
    "over_differential": "超过庄闲差额上限。",
    "cards_face_down": "还有暗牌未开。",
    "card_is_face_up": "这张牌已经翻开。",
    "no_such_card": "那里没有牌。",
    "window_not_open": "现在不能买保险。",
    "insurance_forgone": "本局已放弃保险。",
    "insurance_announced": "有玩家表示要买保险，请等待。",
    "nothing_announced": "你没有表示要买保险。",
    "late_insurance_above_original_bet": "补买的保险，彩金不能超过原注。",
    "cards_misplaced": "牌不在规则规定的位置。",
    "round_is_over": "本局已派彩结束。",
    "insurance_waived": "本局闲家补牌之后的保险已经放弃。",
    "insurance_not_offered_here": "本私人桌不提供保险。",
    "no_squeeze_right": "你没有眯牌的权利。",
    "no_options_asked": "现在没有需要你选择的事项。",
    "one_answer_each": "你已经选择过了。",
    "key_reused": "请刷新页面后重试。",
    "table_held_elsewhere": "赌桌正在转移，请稍后再试。",
    "table_moved_on": "赌桌情况已有变化。",
    "too_many_attempts": "登录次数过多，请稍后再试。",
    "too_many_streams": "打开的实时页面过多，请关闭一些再试。",
    "sign_in_failed": "姓名或密码错误。",
    "account_disabled": "账户已停用。",
    "link_not_valid": "登录链接无效。",
    "weak_password": "密码太容易被猜到。",
    "second_factor_needed": "登录还需要双重验证。",
    "second_factor_missing": "请先设置双重验证。",
    "wrong_code": "验证码错误。",
    "passkey_refused": "通行密钥验证未通过。",
    "half_sign_in_over": "登录超时，请重新开始。",
    "second_factor_set": "双重验证已设置。",
    "no_second_factor": "没有这项双重验证。",
    "second_factor_off": "本场不使用双重验证。",
    "record_damaged": "记录已损坏，不予使用。",
    "store_unavailable": "记录暂时无法写入，尚未确认。",
    "unknown_table": "没有这张赌桌。",
    "unknown_round": "没有这一局。",
    "table_stopped": "本桌已停止，没有写入任何内容。",
    "not_enough_chips": "筹码不足。",
    "chips_not_counted": "本赌场不计筹码。",
    "not_signed_in": "请先登录。",
    "wrong_origin": "此表单不是由本站页面提交，或已过期。",
    "shutting_down": "赌场正在关闭。",
}
MEETS: Final = frozenset(_CODES)
"""The codes a player can come by, at the door, in the lobby, at a table and in his history."""
_SPOKEN: Final = re.compile("[\u4e00-\u9fff]")


def in_language(made: Problem, language: Language) -> Problem:
    """A problem in the reader's language, paragraph and code as they were; said twice it stays as it is.

    >>> more = "Box 3 may take 0.00 more on banker: its sides may differ by 10000.00."
    >>> in_language(problem(Refused("over_differential", more)), "zh").detail
    '3 号位的庄只能再收 0.00：庄闲差额上限为 10000.00。'
    """
    if language != "zh":
        return made
    detail = _PHRASES.said(made.detail) or _CODES.get(made.code)
    if detail is None or _SPOKEN.search(made.detail):
        detail = made.detail
    return msgspec.structs.replace(made, detail=detail, next=_PHRASES.said(made.next) or made.next)


def told_again(language: Language, refused: Refused, phrases: Phrases) -> Refused:
    """A refusal in the reader's language, by his own phrases first; code and paragraph as they were."""
    if language != "zh":
        return refused
    known = in_language(problem(refused), language)
    sentence = phrases.said(refused.sentence) or known.detail
    return Refused(
        refused.code, sentence, refused.citation, next_step=phrases.said(refused.next_step) or known.next
    )
