"""Chinese of the pages on rules and of the lab."""

from __future__ import annotations

from typing import Final

RULES: Final[dict[str, str]] = {
    (
        "The documents the tables of this house are played under, in our own words; "
        "each value beside its paragraph."
    ): ("本场各桌所依据的规则文件，以我们自己的话写成；每个数值旁注明条款。"),
    "In force from": "生效时间",
    "In force from {when}": "自 {when} 起生效",
    "{bets} bets, {layouts} layouts, {paragraphs} paragraphs": (
        "{bets} 种投注，{layouts} 种布局，{paragraphs} 条"
    ),
    "with Insurance": "设保险",
    "no Insurance": "不设保险",
    "Two side by side": "两版对照",
    "Two rulebooks side by side": "两本规则书对照",
    "From": "从",
    "To": "到",
    "Compare": "对照",
    "Approved by": "批准机构",
    "Superseded by": "被取代于",
    "On this page": "本页内容",
    "Table of Play": "补牌规则表",
    "Layouts": "布局",
    "The bets": "投注项",
    "When something goes wrong": "异常情况",
    "Readings": "解读",
    "Paragraphs and coverage": "条款与覆盖",
    "Edges in the lab": "实验室中的优势率",
    "{totals} with two cards is a natural: neither hand draws": "两张牌 {totals} 点为天牌：双方均不补牌",
    "The first four cards go to": "首四张牌依次发给",
    "draws": "补牌",
    "D": "补",
    "S": "停",
    "D: draws a card. S: stands. –: cannot come about, or a natural.": (
        "补：补一张牌。停：不补牌。–：不会出现，或为天牌。"
    ),
    "none": "无",
    "Total": "点数",
    "Player, by the total of two cards": "闲家，按两张牌点数",
    "Banker, by the total of two cards and the Player's third card": "庄家，按两张牌点数与闲家第三张牌",
    "Card": "牌",
    "Card values": "牌面点数",
    "Own total, against": "本手点数，对",
    "a tie pays": "和局亦赔",
    "* a tie pays too.": "* 和局亦赔。",
    "Offered under": "依据条款",
    "At most the Original Bet each time": "每次不超过原注",
    "at {odds} at most {share} of the table's maximum": "赔率 {odds} 时不超过本桌上限的 {share}",
    (
        "One box of each; layouts that offer the same bets share a drawing. "
        "It shows where a bet lies, not the print of any appendix."
    ): "各绘一框；投注项相同的布局共用一图。图示投注位置，并非附录印样。",
    "{fewest} to {most} positions": "{fewest} 至 {most} 个位置",
    "The felt": "台面",
    "The bets it offers": "提供的投注",
    "What the document says": "文件规定",
    (
        "Where the document is silent or can be read two ways: "
        "how we read it, and what else a table may choose."
    ): "文件未载明或有两种读法之处：我们的解读，以及赌桌可作的其他选择。",
    "A table may choose instead:": "赌桌可改选：",
    "answered": "已实现",
    "awaited": "待实现",
    "not executable": "不可执行",
    "What changed": "变更",
    "How": "如何",
    "Nothing that has a meaning.": "没有实质变更。",
    "What it did to the edges, from {decks} full decks": "对优势率的影响（{decks} 副完整的牌）",
    "Paragraph by paragraph": "逐条对照",
    "{count} paragraphs say the same, {moved} of them under another number": (
        "{count} 条内容相同，其中 {moved} 条编号不同"
    ),
    "What says the same": "内容相同的条款",
    "Paragraph before": "原条款",
    "Paragraph after": "新条款",
    "same": "相同",
    "changed": "更改",
    "gone": "删除",
    "new": "新增",
    "in force": "生效中",
    "The Player's third card": "闲家第三张牌",
    "proofs: {count}": "证明：{count}",
    "Tie on {totals}": "{totals} 点和",
    "{hands} starts with a pair": "{hands}首两张成对",
    "on {totals}": "{totals} 点",
    "with {cards} cards": "{cards} 张牌",
    "by {margin}": "胜 {margin} 点",
    "single pair": "单对",
    "double pair": "双对",
    "twin pair": "同对",
    "every win": "凡赢",
    " or ": "或",
    " ": "，",
    "By number of decks": "按副牌数",
    "Compare rulebooks": "对照规则书",
    "Simulate and count": "模拟与算牌",
    "Exact fractions as JSON": "精确分数（JSON）",
    "Cards gone from the shoe": "已离靴的牌",
    "Other pays": "更改赔率",
    "Odds such as 22:1": "赔率写法如 22:1",
    "Insurance, where it pays {odds}": "保险，原赔 {odds}",
    "{cards} cards, {draws} ordered draws of six": "{cards} 张牌，六张有序抽取共 {draws} 种",
    "To the last fraction": "精确分数",
    "Edge, of one staked": "每注 1 的优势率",
    "Work it out": "计算",
    "As the document says": "恢复原样",
    "Edge of every bet": "各投注优势率",
    "Edge of every bet, in percent of the stake": "各投注优势率（占注额百分比）",
    "Document, 8 decks": "文件，8 副",
    "What if": "假设",
    "Edge": "优势率",
    "Won %": "赢率 %",
    "Deviation": "标准差",
    "What Insurance costs": "保险的代价",
    (
        "In percent of the stake insured, by the totals on the table. "
        "Red costs the player, green costs the House; grey is not offered."
    ): "按桌面点数，占保险注额的百分比。红色由玩家承担，绿色由赌场承担；灰色不提供。",
    "What insuring {own} costs, {window}": "为{own}投保的代价，{window}",
    "{own} {a} against {other} {b}, paid {odds}: costs {edge}% of the stake": (
        "{own} {a} 点对{other} {b} 点，赔 {odds}：代价为注额的 {edge}%"
    ),
    "The same as a table": "以表格显示",
    "Insured": "投保",
    "Every outcome, counted": "全部结果计数",
    (
        "Whole shoes are dealt to the cut card and every bet is judged, held against the exact figures; or a "
        "counter who knows every card gone walks through them. The same seed gives the same counts."
    ): "整靴发至切牌，逐注判定并与精确值比对；或由知晓所有已发牌的算牌者逐靴走过。种子相同则计数相同。",
    (
        "This needs numba, which is not installed here: say make lab, or install lammer[lab]. "
        "The exact figures need nothing more."
    ): ("需要 numba，此处未安装：请执行 make lab 或安装 lammer[lab]。精确计算无需其他组件。"),
    "What to do": "工作内容",
    (
        "The error is one standard error; z tells how many of them the dealt edge lies from the exact one. "
        "Hardly any should lie beyond 4."
    ): "误差为一个标准误；z 表示发牌优势率与精确值相差几个标准误，几乎不应超过 4。",
    "Deal rounds (at most {most})": "发牌局（最多 {most}）",
    "Count shoes (at most {most})": "算牌靴（最多 {most}）",
    "How many rounds or shoes": "局数或靴数",
    "Seed": "种子",
    "Begin": "开始",
    # Sheets of the lab: their names and columns.
    "Edges compared": "优势率对照",
    "Always insuring": "每次投保",
    "Always insuring compared": "每次投保对照",
    "Edge % by number of decks": "按副牌数的优势率 %",
    "Outcomes": "结果",
    "Insurance when it is worth it": "值得时的保险",
    "bet": "投注项",
    "hand": "手",
    "pays": "赔率",
    "edge %": "优势率 %",
    "occurs %": "出现率 %",
    "change": "变化",
    "outcome": "结果",
    "combinations": "组合数",
    "share %": "占比 %",
    "% of a unit a round": "每局占一单位的 %",
    "exact edge %": "精确优势率 %",
    "dealt edge %": "发牌优势率 %",
    "error %": "误差 %",
    "insurance": "保险",
    "window": "时段",
    "times": "次数",
    "{decks} decks": "{decks} 副",
    "four cards": "四张牌",
    "third card": "第三张牌",
    "Exposure of the bets": "投注的算牌风险",
    "Exposure of Insurance": "保险的算牌风险",
    "Effects of removal, in percentage points": "去牌影响（百分点）",
    "Best count systems": "最佳算牌法",
    "worth betting %": "值得下注 %",
    "average edge then %": "此时平均优势 %",
    "profit per 100 rounds": "每百局盈利",
    "standard error": "标准误",
    "profit per shoe": "每靴盈利",
    "standard error per shoe": "每靴标准误",
    "offered %": "提供率 %",
    "worth taking %": "值得投保 %",
    "tags A to K": "A 至 K 点值",
    "correlation": "相关系数",
    "follows worth": "与价值相关",
    "bet from": "起注计数",
    "bets on %": "下注率 %",
    "of perfect %": "占完美算牌 %",
}
