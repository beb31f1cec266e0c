"""Refusals that whoever deals or supervises meets, in Chinese; the table itself speaks English.

A sentence is known by its shape, as in `refusals`. One that no shape knows stays as the table said it.
"""

from __future__ import annotations

from typing import Any, Final

from litestar import Response

from lammer.floor.pages.phrases import SIDES, Phrases
from lammer.floor.pages.refusals import told_again
from lammer.floor.pages.refusing import said
from lammer.floor.pages.site import Req, language_of
from lammer.floor.pages.words import Language, said as in_words
from lammer.rulebook.refusal import Refused

_PHRASES: Final = Phrases.of(
    # The round and its steps.
    (r"Round (\d+) is under way\.", "第 {0} 局正在进行。"),
    (r"Settle or void it first\.", "请先派彩或作废本局。"),
    (r"Betting is still open\.", "仍在下注。"),
    (r"Close it first\.", "请先停止下注。"),
    (r"Open the betting first\.", "请先开始下注。"),
    (r"The round is not over: the (\w+) Hand needs a card\.", "本局未完：{0}还要补牌。"),
    (r"The round is not over: .*\.", "本局未完。"),
    (r"The Table of Play calls for no further card\.", "按补牌规则不再发牌。"),
    (r"Settle the round; a card drawn all the same is an excess card\.",
     "请派彩；再抽出的牌是多抽的牌。"),
    (r"Cards are still face down\.", "还有暗牌未开。"),
    (r"The (\w+)'s card (\d) is still face down\.", "{0}的第 {1} 张牌还没有打开。"),
    (r"The first four cards are not all open(?: yet)?\.", "最初四张牌还没有全部打开。"),
    (r"(?:Open (?:it|them) first|Ask again when they are)\.", "请先打开。"),
    (r"(\w\w) is face up already\.", "{0} 已经打开。"),
    (r"Open the Player's cards, or ask for the Banker's third card first\.", "请先开闲家的牌。"),
    (r"Nobody has asked to squeeze\.", "没有人要求眯牌。"),
    (r"Players are being asked what they choose\.", "正在询问玩家的选择。"),
    (r"Close the options first; who does not answer continues\.", "请先结束询问；不回答视为继续。"),
    (r"No options are open\.", "没有进行中的询问。"),
    (r"Players may still withdraw their bets\.", "玩家仍可收回注码。"),
    (r"Close the withdrawal first\.", "请先结束收回。"),
    (r"No withdrawal is open\.", "没有开放收回。"),
    (r"No withdrawal was due, or it was offered\.", "无须提供收回，或已经提供。"),
    (r"The round is interrupted already\.", "本局已经中断。"),
    (r"The round is not interrupted\.", "本局没有中断。"),
    # The shoe and its cards.
    (r"There is no shoe(?: to deal from)?\.", "没有牌靴。"),
    (r"Prepare (?:a shoe first|one)\.", "请先换新牌靴。"),
    (r"A shoe is in use\.", "牌靴正在使用。"),
    (r"End (?:it|the shoe) first\.", "请先结束本靴。"),
    (r"This shoe has had its last round\.", "本靴最后一局已经结束。"),
    (r"End the shoe and prepare a new one\.", "请结束本靴并换新牌靴。"),
    (r"The shoe has no card left for this round\.", "牌靴里没有牌可以完成本局。"),
    (r"Void the round for a shoe that ran dry\.", "请以牌不够为由作废本局。"),
    (r"The shoe has (\d+) cards left\.", "牌靴里还有 {0} 张牌。"),
    (r"The shoe has fewer cards left\.", "牌靴里没有这么多牌。"),
    (r"The shoe changes with the decks\.", "更改副数须换牌靴。"),
    (r"This shoe is read card by card\.", "本桌逐张读取实体牌。"),
    (r"Give the card that was read\.", "请输入读出的牌。"),
    (r"The virtual shoe deals its own cards\.", "虚拟牌靴自行发牌。"),
    (r"A virtual shoe gives one card at a time, and none together\.", "虚拟牌靴每次只出一张牌。"),
    (r"A virtual shoe shows its cut card itself\.", "虚拟牌靴自行显示切牌。"),
    (r"The cut card of this shoe has appeared already\.", "本靴的切牌已经出现。"),
    (r"'?(.+?)'? is not a card\.", "{0} 不是一张牌。"),
    (r"Write rank and suit, such as AS, TD, 9H, KC\.", "请写点数和花色，例如 AS、TD、9H、KC。"),
    (r"(\w\w) has come (\d+) times from (\d+) decks already\.", "{2} 副牌里的 {0} 已出现 {1} 次。"),
    (r"Void the round for a card that is not of the set\.", "请以出现不属于本靴的牌为由作废本局。"),
    (r"(\w\w) cannot come again\.", "{0} 不会再出现。"),
    (r"The set holds no further (\w\w)\.", "牌里没有更多的 {0}。"),
    (r"The card carried over from before comes first, and it is not (\w\w)\.",
     "先发留下的牌，不是 {0}。"),
    (r"The (\w+) hand has no card (\d+)\.", "{0}没有第 {1} 张牌。"),
    (r"The shoe of this round is gone\.", "本局的牌靴已经撤走。"),
    (r"Settle the round, or have it ruled on\.", "请派彩，或申请裁决。"),
    (r"No card is due, as far as can be seen; what is drawn all the same is an excess card\.",
     "按可见的牌不应再发牌；再抽出的牌是多抽的牌。"),
    (r"Not all of them had an Original Bet on the (\w+) Hand\.", "他们并非都有{0}的原注。"),
    (r"Name only those who had\.", "请只写有原注的玩家。"),
    (r"There is no shoe to take a card from\.", "没有牌靴可以抽牌。"),
    (r"The shoe has no card left\.", "牌靴里没有牌了。"),
    (r"A virtual shoe shows no card before it is dealt\.", "虚拟牌靴发牌之前不会露牌。"),
    (r"The virtual shoe deals each card where the Table of Play sends it\.", "虚拟牌靴按补牌规则发每张牌。"),
    (r"Deal the next card; misdealing is for test tables\.", "请发下一张牌；只有测试桌可以发错牌。"),
    (r"A virtual shoe is a whole set, shuffled and bound to its order before the first card\.",
     "虚拟牌靴是完整的牌，首张发出前已洗好并承诺次序。"),
    (r"A virtual shoe shows its cut card itself, and offers the withdrawal\.",
     "虚拟牌靴自行显示切牌，并提供收回。"),
    (r"The cards of a virtual shoe are neither damaged nor lost\.", "虚拟牌靴的牌不会损坏或遗失。"),
    (r"The cards of a virtual shoe lie where the table put them\.", "虚拟牌靴的牌就在系统所放的位置。"),
    (r"A virtual shoe knows what it dealt; no claim about other cards is believed\.",
     "虚拟牌靴知道自己发了什么牌，不接受其他说法。"),
    (r"Interrupt the round, or have the matter ruled on\.", "请中断本局，或申请裁决。"),
    (r"The round can be completed: the shoe has (\d+) cards left\.", "本局可以完成：牌靴里还有 {0} 张牌。"),
    (r"Complete the round\.", "请完成本局。"),
    (r"A card was dealt face up at this face-down table\.", "本桌发暗牌，却有一张牌被明发。"),
    (r"Note it first: players may have a choice\.", "请先记录：玩家可能有权选择。"),
    # Cards recorded wrongly.
    (r"(\w\w) is what was recorded\.", "记录的正是 {0}。"),
    (r"Say how the card came to be recorded wrongly\.", "请写明牌为何记录有误。"),
    (r"The (\w+) hand had no card (\d+)\.", "{0}当时没有第 {1} 张牌。"),
    (r"With (\w\w) there, round (\d+) did not follow the Table of Play\.",
     "若是 {0}，第 {1} 局就不符合补牌规则。"),
    (r"Correct the round by the cards as they lay\.", "请按牌实际的位置更正本局。"),
    (r"Say which cards lie with the other hand\.", "请说明哪些牌在另一方。"),
    # Insurance that was announced.
    (r"(.+) said in time that they will insure\.", "{0} 已及时表示要买保险。"),
    (r"Take the Insurance bet first, or record that it is declined\.", "请先收取保险，或记录玩家不买。"),
    (r"(.+) has said so already\.", "{0} 已经表示过。"),
    (r"Take the Insurance bet\.", "请收取保险。"),
    (r"(.+) has not said that they will insure there\.", "{0} 没有表示要在那里买保险。"),
    (r"(.+) has insured all of that bet\.", "{0} 已经全额投保。"),
    (r"The round was settled; nobody insures any more\.", "本局已派彩，不能再买保险。"),
    # What went wrong.
    (r"Cards lie where the rules did not send them\.", "牌不在规则规定的位置。"),
    (r"Reconstruct them, or void the round if that cannot be done\.", "请还原；无法还原则作废本局。"),
    (r"(.+) was drawn in excess; the House decides what becomes of it\.",
     "多抽了 {0}，由赌场决定如何处理。"),
    (r"Reconstruct it as excess cards\.", "请按多抽的牌还原。"),
    (r"The cards lie where the rules send them\.", "牌都在规则规定的位置。"),
    (r"No hand has a wrong number of cards\.", "两方的牌数都正确。"),
    (r"Cards are dealt face up at this table\.", "本桌发明牌。"),
    (r"No card was dealt face up\.", "没有牌被明发。"),
    (r"Two cards or more were drawn together\.", "同时抽出的牌至少有两张。"),
    (r"No box exceeds the maximum Differential\.", "没有位置超过庄闲差额上限。"),
    (r"No Insurance can have been missed now\.", "现在不可能漏掉保险。"),
    (r"Insurance on the (\w+) Hand would not have won\.", "{0}的保险不会赢。"),
    (r"None of them has an Original Bet on that hand without Insurance\.", "他们没有未买保险的原注。"),
    (r"Insurance on that hand is open now; it was not missed\.", "这一方的保险现在开放，并没有漏掉。"),
    (r"The player simply insures\.", "玩家可直接买保险。"),
    (r"This private table asked not to be offered Insurance\.", "本私人桌要求不提供保险。"),
    (r"(.+) ha[ds] no such Insurance bet\.", "{0} 没有这项保险。"),
    (r"Nothing was on offer on that side\.", "那一方当时没有保险。"),
    (r"(.+) has no (\w+) bet in box (\S+)\.", "{0} 在 {2} 号位没有这项注码。"),
    (r"Say what (?:was found|the error was)\.", "请写明发现了什么。"),
    (r"A ruling needs a written reason\.", "裁决须有书面理由。"),
    (r"None of them has a bet in this round\.", "他们在本局没有注码。"),
    # What is over.
    (r"No round has just been settled\.", "没有刚派彩的一局。"),
    (r"Once the next round has begun, earlier rounds are corrected, not reopened\.",
     "下一局开始后，以前的牌局只能更正，不能重新派彩。"),
    (r"Once the next round has begun, every earlier outcome and settlement stands\.",
     "下一局开始后，以前的结果和派彩一律有效。"),
    (r"Round (\d+) is not an earlier round that was settled\.", "第 {0} 局不是已派彩的以前牌局。"),
    (r"Round (\d+) is settled and over; this voids only a round under way\.",
     "第 {0} 局已派彩结束；这只能作废进行中的牌局。"),
    (r"The next round is voided if the fault is still there\.", "若问题仍在，可作废下一局。"),
    (r"Round (\d+) is over; it can be voided, settled by other cards, or bets returned\.",
     "第 {0} 局已结束；可以作废、按其他牌派彩，或退回注码。"),
    (r"Only a round that was settled is settled by other cards\.", "只有已派彩的牌局才能按其他牌派彩。"),
    (r"None of them has a bet left in round (\d+)\.", "他们在第 {0} 局没有余下的注码。"),
    (r"Those hands are no whole round by the Table of Play\.", "按补牌规则，这两手牌不是完整的一局。"),
    (r"Round (\d+) was dealt (.+) and (.+)\.", "第 {0} 局发的牌是 {1} 和 {2}。"),
    (r"The round just settled is reopened instead\.", "刚派彩的一局请申请重新派彩。"),
    (r"Round (\d+) is void; its bets were returned\.", "第 {0} 局已作废，注码已退回。"),
    (r"Round (\d+) of table .+ cannot be corrected any more, or not yet\.", "第 {0} 局现在不能更正。"),
    (r"The list says which rounds can\.", "列表列出可以更正的牌局。"),
    (r"A hand has at least two cards\.", "每方至少有两张牌。"),
    (r"Those cards follow the Table of Play\.", "这些牌符合补牌规则。"),
    # Who may, and the second person.
    (r"(.+) may not do this; it takes a (.+ or above)\.", "{0} 无权这样做；须由{1}决定。"),
    (r"Ask a (.+)\.", "请找{0}。"),
    (r"\S+ has no paragraph for this .*\.", "本文件没有相应条款。"),
    (r"\S+ does not provide for this .*\.", "本文件没有相应规定。"),
    (r"A Table Game Shift Manager or above may rule on it\.", "可由值班经理或以上裁决。"),
    (r"(.+) asked for this and cannot agree to it too\.", "{0} 自己提出的申请不能自己同意。"),
    (r"Another person with the same authority has to agree\.", "须由另一位同等权限的人同意。"),
    (r"Somebody has already said yes or no to this\.", "已经有人答复。"),
    (r"Look at the table again\.", "请再看一次赌桌。"),
    # Set-up and bank.
    (r"The table is not set up yet\.", "本桌尚未设置。"),
    (r"Set the table first\.", "请先设置赌桌。"),
    (r"Somebody has changed the set-up since this page was loaded\.", "页面打开后有人改过设置。"),
    (r"Load the page again and look at it first\.", "请刷新页面再看一次。"),
    (r"Layout (\w) has (\d+) to (\d+) positions, not (\d+)\.",
     "布局 {0} 有 {1} 至 {2} 个位置，不是 {3} 个。"),
    (r"The game is played with (\d+) to (\d+) decks, not (\d+)\.",
     "本游戏用 {0} 至 {1} 副牌，不是 {2} 副。"),
    (r"Players are seated at this layout\.", "本布局有玩家入座。"),
    (r"Clear (?:the|those) seats first\.", "请先清空座位。"),
    (r"(\S+) is not in force: (.+)\.", "{0} 现在无效：{1}。"),
    (r"Choose the version in force, or let a Table Game Shift Manager give a reason\.",
     "请选择有效的版本，或由值班经理写明理由。"),
    (r"Only a private table goes without Insurance, at the request of a player\.",
     "只有私人桌可应玩家要求不设保险。"),
    (r"Say that the table is private, and who asked\.", "请注明本桌为私人桌，以及是谁要求的。"),
    (r"Insurance is offered here, so (.+) has not declined it\.", "本桌提供保险，所以 {0} 并没有谢绝。"),
    (r"Set the table without Insurance, or leave the name out\.", "请设为不设保险，或不填姓名。"),
    (r"(.+) does not speak for the House\.", "{0} 不能代表赌场。"),
    (r"(\d+) boxes need (\d+) different names, not (.+)\.", "{0} 个位置需要 {1} 个不同的名称，不是 {2}。"),
    (r"Name every box once, or none\.", "请给每个位置各起一个名称，或都不起。"),
    (r"This table has no box (.+)\.", "本桌没有 {0} 这个位置。"),
    (r"It has (.+)\.", "可选：{0}。"),
    (r"(\d+) cards behind the cut card leave no round to play\.", "切牌后留 {0} 张牌就无法进行一局。"),
    (r"(.+) would sit at a box that is no more\.", "{0} 的位置将不存在。"),
    (r"The bank holds (.+), not (.+)\.", "台面筹码是 {0}，不是 {1}。"),
    word=lambda part: SIDES.get(part) or in_words("zh", part),
)  # fmt: skip


def told_in(language: Language, refused: Refused) -> Refused:
    """The same refusal in the reader's language; code, paragraph and next step as they were.

    >>> told_in("zh", Refused("shoe_in_use", "A shoe is in use.", next_step="End it first.")).next_step
    '请先结束本靴。'
    """
    return told_again(language, refused, _PHRASES)


def said_to_staff(request: Req, refused: Refused) -> Response[Any]:
    """A refusal as a page or as JSON, in the reader's language. A controller's handler of `Refused`."""
    return said(request, told_in(language_of(request), refused))
