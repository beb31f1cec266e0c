"""Refusals that whoever reads or administers meets, in Chinese: audit, rules, lab, accounts.

A sentence is known by its shape, as in `refusals`. One that no shape knows stays as it was said.
"""

from __future__ import annotations

from typing import Any, Final

from litestar import Response

from lammer.floor.web.pages.phrases import Phrases
from lammer.floor.web.pages.refusals import told_again
from lammer.floor.web.pages.refusing import said
from lammer.floor.web.pages.site import Req, language_of
from lammer.rulebook.refusal import Refused
from lammer.wording.catalogues import Language

_PHRASES: Final = Phrases.of(
    # Audit.
    (r"What is looked for cannot be read\.", "查找条件无法识别。"),
    (r"A round is a number; a moment is a date and a time of day\.", "局号是数字；时间是日期加时刻。"),
    (r"Table (.+) has no round (\d+), or nothing more of it\.", "赌桌 {0} 没有第 {1} 局，或已无更多。"),
    (r"Look for it by its time\.", "请按时间查找。"),
    (r"Events are written as (.+)\.", "事件可下载为 {0}。"),
    # Long work.
    (r"Work that (.+) began is still under way \((\d+)%\)\.", "{0} 开始的工作仍在进行（{1}%）。"),
    (r"Wait for it, or stop it\.", "请等待，或停止它。"),
    (r"(.+) began this work; (.+) cannot stop it\.", "工作由 {0} 开始，{1} 不能停止。"),
    (r"Wait for it, or ask whoever began it\.", "请等待，或联系开始它的人。"),
    (r"(\d+) questions of (.+) are being worked out already\.", "{1} 已有 {0} 个问题正在计算。"),
    (r"Wait for them\.", "请等待。"),
    # Rules and lab.
    (r"This house has no rulebook (.+)\.", "本场没有规则书 {0}。"),
    (r"(.+) is not a number of decks or cards\.", "{0} 不是副数或张数。"),
    (r"These are whole numbers\.", "这些应为整数。"),
    (r"Write digits only\.", "请只填数字。"),
    (r"A shoe here has 1 to (\d+) decks\.", "牌靴为 1 至 {0} 副牌。"),
    (r"The documents know 4 to 10 decks\.", "规则文件为 4 至 10 副牌。"),
    (r"(\d+) cards of rank (\w+) cannot be gone: (\d+) decks have (\d+)\.",
     "不可能少 {0} 张 {1}：{2} 副牌只有 {3} 张。"),
    (r"Take fewer away, or put more decks in\.", "请少取几张，或增加副数。"),
    (r"A shoe of (-?\d+) cards cannot deal a round\.", "{0} 张牌不够发一局。"),
    (r"A round may need (\d+) cards\.", "一局可能需要 {0} 张牌。"),
    (r"(.+) are not odds: expected .+\.", "{0} 不是赔率，请写成 50:1 或 3:2。"),
    (r"On a page at most (.+) rounds or (.+) shoes are gone through, from 1 to 10 decks\.",
     "网页上最多 {0} 局或 {1} 靴，1 至 10 副牌。"),
    # Accounts, keys, tables.
    (r"There is an account (.+) already\.", "已有账户 {0}。"),
    (r"There is a table (.+) already\.", "已有赌桌 {0}。"),
    (r"Choose another name\.", "请另选名称。"),
    (r"An account's name is up to 40 letters .+\.", "登录名最多 40 个小写字母、数字、点、横线或下划线。"),
    (r"A table's id is up to 60 small letters.+\.", "编号最多 60 个小写字母、数字、点、横线或下划线。"),
    (r"The title may be written in any script\.", "名称可用任何文字。"),
    (r"(.+) is the house's last administrator\.", "{0} 是最后一位管理员。"),
    (r"Make another one first\.", "请先设立另一位。"),
    (r"There is no account of that name\.", "没有这个账户。"),
    (r"The account (.+) is disabled\.", "账户 {0} 已停用。"),
    (r"Nothing of that number waits for a second person\.", "没有这一项等待第二人同意。"),
    (r"Look at the list again\.", "请重新查看列表。"),
    (r"(.+) asked for this and cannot agree to it too\.", "{0} 提出了申请，不能自己同意。"),
    (r"Another person with the same authority has to agree\.", "须由另一位有同样权限的人同意。"),
    (r"(.+) asked for this and no longer has the right to\.", "{0} 提出了申请，但已无此权限。"),
    (r"Decline it, and let somebody else ask anew\.", "请拒绝，由他人重新申请。"),
    (r"A second administrator agrees to this; a Table Game Shift Manager where there is none\.",
     "须由第二位管理员同意；没有时由值班经理同意。"),
    (r"(.+) has another role now\.", "{0} 现在是另一个角色。"),
    (r"Ask for it again\.", "请重新申请。"),
    (r"Say why the second factor is taken away, in one line\.", "请用一行写明取消双重验证的原因。"),
    (r"At most (\d+) letters\.", "最多 {0} 个字。"),
    (r"A pace is told in seconds\.", "节奏以秒为单位。"),
    (r"Write 12 or 0\.8\.", "请写 12 或 0.8。"),
    (r"Each pause is more than nothing and at most 600 seconds\.", "每段时间须大于零且不超过 600 秒。"),
)  # fmt: skip


def told_to_reader(language: Language, refused: Refused) -> Refused:
    """The same refusal in the reader's language; code and paragraph as they were.

    >>> told_to_reader("zh", Refused("impossible_shoe", "A shoe here has 1 to 10 decks.")).sentence
    '牌靴为 1 至 10 副牌。'
    """
    return told_again(language, refused, _PHRASES)


def said_to_reader(request: Req, refused: Refused) -> Response[Any]:
    """A refusal as a page or as JSON, in the reader's language. A controller's handler of `Refused`."""
    return said(request, told_to_reader(language_of(request), refused))
