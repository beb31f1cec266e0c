"""Chinese of the pages for whoever reads: board, audit, accounts; rules and stories have theirs beside."""

from __future__ import annotations

from typing import Final

from lammer.floor.web.pages.words_rules import RULES
from lammer.floor.web.pages.words_story import STORY

_BOARD: Final[dict[str, str]] = {
    "This table is not set up yet.": "本桌尚未设置。",
    "No Insurance is offered at this table ({book}, {paragraph}).": "本桌不设保险（{book}，{paragraph}）。",
    "{book} is not in force (title page): {reason}.": "{book} 现在无效（封面）：{reason}。",
    "This is a test table.": "这是测试桌。",
    "This game has no Insurance.": "本玩法不设保险。",
    " to ": " 赔 ",
    "What a hand is insured at": "保险赔率",
    "Insurance": "保险",
    "Against": "对",
    "Pays": "赔率",
    "After four cards": "发四张牌后",
    "After the third card": "补第三张牌后",
    "This shoe": "本靴",
    "Banker pairs": "庄对",
    "Player pairs": "闲对",
    "Rounds": "局数",
    "No.": "序号",
    "Won by": "胜方",
    "Points": "点数",
    "Pairs": "对子",
    "Cards": "牌",
    "face down": "暗牌",
    "The round": "本局",
    "The roads": "路单",
    "The roads, column by column": "路单（逐列）",
    "Results of this shoe": "本靴结果",
    "Big road": "大路",
    "Big eye boy": "大眼仔路",
    "Small road": "小路",
    "Cockroach pig": "曱甴路",
    "red": "红",
    "blue": "蓝",
    "Player / Banker": "闲/庄",
    "Layout {letter}": "布局 {letter}",
    "Round {number}": "第 {number} 局",
    "event {number}": "事件 {number}",
    "The next round opens soon.": "下一局即将开始。",
    "Interrupted: a supervisor decides.": "本局中断：由主管裁定。",
    "Player wins": "闲赢",
    "Banker wins": "庄赢",
    "The players are being asked.": "正在询问玩家。",
    "Place your bets, please": "请下注",
    "The round is void. Bets go back.": "本局作废，退还投注。",
    "The round is over without play.": "本局未进行，已结束。",
    "No more bets": "停止下注",
    "What was dealt before says nothing about what comes next. The table decides, not this display.": (
        "以往结果不能预测未来。以桌面为准，不以本显示屏为准。"
    ),
    "Not possible": "无法进行",
    "Go back to the start": "回到首页",
}

_AUDIT: Final[dict[str, str]] = {
    "This house has no tables yet.": "本场尚无赌桌。",
    "Table": "赌桌",
    "Round": "局",
    "All tables": "所有赌桌",
    "Opened since": "开局不早于",
    "Opened before": "开局早于",
    "Opened": "开局时间",
    "Nothing so far; go on to earlier rounds.": "目前没有找到，请继续往前查找。",
    "Times of day are those of {zone}.": "时间均为 {zone} 时区。",
    "Opened ({zone})": "开局时间（{zone}）",
    "Player's name": "玩家姓名",
    "Find rounds": "查找牌局",
    "Verify this table": "核验本桌",
    "All events as JSON lines": "全部事件（JSON 行）",
    "All events as CSV": "全部事件（CSV）",
    "Board": "显示屏",
    "Board of {title}": "{title}的显示屏",
    "Accounts and denied attempts": "账户与被拒操作",
    "Rounds, the newest first": "牌局（新的在前）",
    "Result": "结果",
    "Staked": "投注额",
    "The House won": "赌场盈利",
    "Players": "玩家",
    "corrected": "已更正",
    "void": "作废",
    "concluded": "已结束",
    "under way": "进行中",
    "reopened": "重新结算",
    "No round is like that.": "没有符合条件的牌局。",
    "Earlier rounds": "更早的牌局",
    "Rulebook": "规则书",
    "The round before": "上一局",
    "The round after": "下一局",
    "Event by event": "逐个事件",
    "Event": "事件",
    "Done by": "操作人",
    "Time": "时间",
    "What happened": "发生了什么",
    "Paragraphs": "条款",
    "Hash": "哈希",
    "Who": "谁",
    "Outcome": "结果",
    "Commission": "佣金",
    "Gain": "盈亏",
    "Given back": "退回",
    "Taken back": "撤回",
    "Settlement": "结算",
    "won": "赢",
    "lost": "输",
    "The events after these": "之后的事件",
    "The paragraphs, in our words": "条款要旨",
    "Verify": "核验",
    "Verify {title}": "核验 {title}",
    (
        "Everything the record says of this table is worked out anew from its events alone and held against "
        "it: the chain of hashes, the signed checkpoints, the shoe against what it was bound to, every card, "
        "every settlement, the ledger. Nothing is repaired."
    ): (
        "仅凭事件重新计算本桌的全部记录并逐一比对：哈希链、签名检查点、牌靴承诺、每一张牌、每一次结算、账本。"
        "不作任何修改。"
    ),
    "Verify now": "立即核验",
    "Stop": "停止",
    "{who} is having table {table} verified; one is done at a time.": (
        "{who} 正在核验 {table} 桌；一次只核验一桌。"
    ),
    "You may leave this page and come back.": "可以离开本页，稍后再回来。",
    "The same from a terminal, also against a copy of the checkpoints kept elsewhere:": (
        "也可在终端核验，并与另处保存的检查点比对："
    ),
    "What was paid, and why": "派彩及其依据",
    "Settled anew": "重新结算",
    "Arithmetic": "算式",
    "{bet}, {what}: {odds}": "{bet}，{what}：{odds}",
    "Has anything been changed since?": "此后有无改动？",
    "Event {number} does not follow from the one before it: the record was changed.": (
        "事件 {number} 与前一个不相连：记录已被改动。"
    ),
    (
        "Events {first} to {last}: each hash was worked out again just now from the event and the hash "
        "before it, and is the one in the record."
    ): "事件 {first} 至 {last}：刚刚由事件与前一哈希逐一重算，均与记录一致。",
    "No checkpoint covers this round yet; the house signs one every few minutes.": (
        "尚无检查点涵盖本局；每隔几分钟签署一个。"
    ),
    (
        "Checkpoint {number}, signed {when} UTC, states event {stated} with its hash; the signature is good, "
        "and the chain was followed from this round to there."
    ): "检查点 {number} 于 {when}（UTC）签署，载明事件 {stated} 及其哈希；签名有效，哈希链已由本局核对至此。",
    "Checkpoint {number} covers it, and its signature is good; it is too far off to be followed here.": (
        "检查点 {number} 涵盖本局，签名有效；相距太远，本页不逐一核对。"
    ),
    "The whole table was worked out anew and held, at {when} UTC.": (
        "整桌已重新计算，全部相符：{when}（UTC）。"
    ),
    "The whole table was worked out anew, and something did not hold.": "整桌已重新计算，有不符之处。",
    "What was verified": "核验内容",
    "Whether cards and bets come to these payments is worked out anew for the whole table.": (
        "牌与注是否得出这些派彩，由整桌核验重新计算。"
    ),
    "Verify the whole table now": "立即核验整桌",
    "when the shoe ends": "本靴结束后公布",
    "The first events": "最初的事件",
    "This round as JSON": "本局（JSON）",
    "This round as CSV": "本局（CSV）",
    "It was stopped before its end.": "未完成即被停止。",
    "Something of ours went wrong; it is in the log.": "系统出错，详情见日志。",
    "Everything holds": "全部相符",
    "{events} events: each carries the hash of the one before it.": (
        "{events} 个事件：每个都带有前一个的哈希。"
    ),
    "{rounds} rounds: shoes, cards, settlements and ledger come out the same when worked out anew.": (
        "{rounds} 局：牌靴、牌、结算与账本重新计算后完全一致。"
    ),
    "Signed checkpoints of the house: {checkpoints}. Signatures and heads agree with the record.": (
        "本场已签署检查点 {checkpoints} 个：签名与记录一致。"
    ),
    "No checkpoint has been made yet.": "尚无检查点。",
    "Something does not hold": "有不符之处",
    "Begun by {who} at {when} UTC.": "由 {who} 于 {when}（UTC）开始。",
    "How far it is": "进度",
}

_ACCOUNTS: Final[dict[str, str]] = {
    "Accounts": "账户",
    "Accounts, keys and tables": "账户、密钥与赌桌",
    "Authority given lately": "近期授予的权限",
    "Agree: {name}": "同意：{name}",
    "Decline: {name}": "不同意：{name}",
    "Another administrator agrees; a Table Game Shift Manager where there is none.": (
        "由另一位管理员同意；没有另一位时由值班经理同意。"
    ),
    "{by} asks for an account {name} as {role}, {when}": "{by} 申请开设账户 {name}（{role}），{when}",
    "{by} asks to make {name} {role}, {when}": "{by} 申请任命 {name} 为{role}，{when}",
    "{by} asks for a link for {name} ({role}), {when}": "{by} 申请 {name}（{role}）的登录链接，{when}",
    "{by} asks to let {name} ({role}) in again, {when}": "{by} 申请重新启用 {name}（{role}），{when}",
    "{name} was made {role} by {by} and {second}, {when}": "{by} 与 {second} 任命 {name} 为{role}，{when}",
    "A link for {name} ({role}) was made by {by} and {second}, {when}": (
        "{by} 与 {second} 为 {name}（{role}）生成登录链接，{when}"
    ),
    "{name} ({role}) was let in again by {by} and {second}, {when}": (
        "{by} 与 {second} 重新启用 {name}（{role}），{when}"
    ),
    "Shown this once": "仅此一次显示",
    "For {who}. Hand it over now: it is not kept and cannot be shown again.": (
        "给 {who}。请立即交付：不会保存，也无法再次显示。"
    ),
    "One-time sign-in link": "一次性登录链接",
    "Key": "密钥",
    "Open this on the display": "在显示屏上打开",
    "Denied attempts": "被拒操作",
    "Keys of devices": "设备密钥",
    "Tables": "赌桌",
    "People": "人员",
    "Called": "称呼",
    "Role": "职务",
    "Make a change": "更改",
    "Find by name": "按姓名查找",
    "Find": "查找",
    "Everybody": "全部",
    "Nobody is called like that.": "没有这样的人。",
    "Page {number} of {last}, {people} people": "第 {number} 页，共 {last} 页，{people} 人",
    "Change it": "更改",
    "State": "状态",
    "active": "启用",
    "disabled": "停用",
    "New link": "新链接",
    "Disable": "停用",
    "Enable": "启用",
    "Role of {name}": "{name} 的职务",
    "Change it: role of {name}": "更改：{name} 的职务",
    "New link for {name}": "给 {name} 的新链接",
    "Disable {name}": "停用 {name}",
    "Enable {name}": "启用 {name}",
    "A new account": "新账户",
    "Name to sign in with": "登录名",
    "There is no first password: a one-time link is shown once.": "没有初始密码：一次性链接只显示一次。",
    "Make the account": "建立账户",
    "A key for a device": "设备密钥",
    "Purpose": "用途",
    "shoe reader": "牌靴读卡器",
    "display board": "显示屏",
    "Make the key": "生成密钥",
    "A new table": "新赌桌",
    "Id": "编号",
    "Title": "名称",
    "It deals itself, at this pace in seconds": "自动发牌，节奏（秒）",
    "Betting": "下注",
    "Between cards": "发牌间隔",
    "For Insurance": "保险",
    "Between rounds": "局间",
    "A pit manager sets it up before it is played.": "开局前由赌区经理设置。",
    "Put it up": "设立",
    "Made (UTC)": "生成时间（UTC）",
    "revoked {when}": "已撤销 {when}",
    "Revoke": "撤销",
    "Revoke the key {id}": "撤销密钥 {id}",
    "None has been made.": "尚未生成。",
    "itself: {betting} s of betting": "自动：下注 {betting} 秒",
    "people": "人工",
    "set up": "已设置",
    "not set up": "未设置",
    "Where from is a mark, not an address: the same mark is the same place.": (
        "来源只是标记而非地址：标记相同即来源相同。"
    ),
    "The newest first": "新的在前",
    "When (UTC)": "时间（UTC）",
    "Times": "次数",
    "What": "内容",
    "Why not": "原因",
    "Where from": "来源",
    "Nobody has been denied anything.": "没有被拒操作。",
    "Earlier": "更早",
    "Later": "更晚",
    "player": "玩家",
    "dealer": "荷官",
    "pit supervisor": "赌区主管",
    "pit manager": "赌区经理",
    "table game shift manager": "桌面博彩值班经理",
    "auditor": "审计员",
    "administrator": "管理员",
}

CHINESE: Final[dict[str, str]] = _BOARD | _AUDIT | _ACCOUNTS | RULES | STORY
