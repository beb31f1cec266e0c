"""Chinese of the pages for whoever plays."""

from __future__ import annotations

from typing import Final

_ROUND: Final[dict[str, str]] = {
    "The round": "本局",
    "Round": "局",
    "Round {number}": "第 {number} 局",
    "Round {number}: {headline}": "第 {number} 局：{headline}",
    "round {number}": "第 {number} 局",
    "The next round is about to begin.": "下一局即将开始。",
    "Place your bets, please.": "请下注。",
    "No more bets.": "停止下注。",
    "Insurance is open.": "现在可以买保险。",
    "Insurance is open": "可买保险",
    "The round is interrupted.": "本局中断。",
    "Something went wrong: players are asked.": "发牌出错：请玩家选择。",
    "Bets may be withdrawn.": "可以收回注码。",
    "The round is settled.": "本局已派彩。",
    "The round is void: every bet went back.": "本局作废：所有注码已退回。",
    "The round ended without play.": "本局没有进行。",
    "about {left} s left when this page was made": "页面生成时约剩 {left} 秒",
    "The dealer closes the betting.": "由荷官宣布停止下注。",
    "On the felt": "已下注",
    "Chips here": "本桌筹码",
    "Purse": "钱包",
    "Bring": "带入",
    "Take away": "取回",
    "Bring the chosen chip, or the other amount, from your purse to this table.": (
        "把所选筹码或其他金额从钱包带到本桌。"
    ),
    "Take the chips here, or the other amount of them, back into your purse.": (
        "把本桌筹码（或其他金额）取回钱包。"
    ),
    "Net at this table": "本桌盈亏",
    "Together {gain}.": "合计 {gain}。",
    "Cards": "牌",
    "Open it": "开牌",
    "waiting": "等待中",
    "betting is open": "下注中",
    "cards are dealt": "发牌中",
    "interrupted": "中断",
    "players are asked": "等待玩家选择",
    "a supervisor looks": "主管正在查看",
    "A supervisor looks at what happened.": "主管正在查看发生了什么。",
    "bets may be withdrawn": "可收回注码",
    "settled": "已派彩",
    "void": "作废",
    "ended without play": "没有进行",
    "under way": "进行中",
    "void: every bet went back": "作废：注码已退回",
    "settlement reopened": "重新派彩",
    "corrected": "已更正",
}

_HINTS: Final[dict[str, str]] = {
    "New here? Choose a free box below and sit down.": "第一次来？请在下面选择一个空位入座。",
    "The receipt tells what each bet won or lost, the arithmetic, and the paragraph behind it.": (
        "账单列出每一注的输赢、算式和所依据的条款。"
    ),
    "Your chips are down. The cards come when the betting closes; until then you may add or undo.": (
        "已经下注。停止下注后开始发牌；在此之前可以加注或撤销。"
    ),
    "The hand nearer to 9 wins. Tens and pictures count 0.": "点数接近 9 者胜。10 和人头牌算 0 点。",
    "Choose a chip, then press a bet of your box: Banker and Player are the plain ones.": (
        "先选筹码，再点你的投注区：庄和闲最简单。"
    ),
    "Wait for “Place your bets”, then choose a chip and a bet.": "等到“请下注”，再选筹码和投注区。",
    "No more hints": "不再提示",
}

_ASKED: Final[dict[str, str]] = {
    "I will insure: wait for me": "我要买保险：请等我",
    "I will not insure after all": "我不买保险了",
    "What you are asked": "请你决定",
    "Round {number} is interrupted": "第 {number} 局中断",
    "Your bets stay where they lie until a pit supervisor decides: if an outcome stands the round is "
    "concluded, otherwise it is void and every bet goes back.": (
        "注码保持原位，等待主管决定：如果结果已定，本局照常结束；否则本局作废，所有注码退回。"
    ),
    "A dealing error: your choice": "发牌出错：请选择",
    "You chose to go on. The round continues when everybody has answered.": (
        "你选择继续。所有人回答之后继续本局。"
    ),
    "You chose to take your bets back. They come back when everybody has answered.": (
        "你选择收回注码。所有人回答之后退回。"
    ),
    "The cards have been put right. Go on with them, or take your bets of this round back? You answer once; "
    "who does not answer goes on.": "牌已经纠正。继续，还是收回本局的注码？只能回答一次；不回答视为继续。",
    "Go on with the cards as they lie, or take your bets of this round back? You answer once; who does not "
    "answer goes on.": "按现有的牌继续，还是收回本局的注码？只能回答一次；不回答视为继续。",
    "Go on with the cards": "继续",
    "Take my bets back": "收回我的注码",
    "The cut card came first": "首张出现切牌",
    "You may take your bets of this round back before a card is dealt.": "发牌之前可以收回本局的注码。",
    "Insurance on {hand}, box {box}": "{hand}保险，{box} 号位",
    "Insurance on Player": "闲保险",
    "Insurance on Banker": "庄保险",
    "Pays {odds} if the {hand} hand loses; a tie wins it too.": "{hand}输则赔 {odds}；和局同样赢。",
    "Pays {odds} if the {hand} hand loses; a tie returns it.": "{hand}输则赔 {odds}；和局退回。",
    "Wins": "胜率",
    "Gains on average": "平均盈利",
    "Costs on average": "平均成本",
    "{cost} in 100": "每 100 为 {cost}",
    "At most": "上限",
    "Insure for {amount}": "保险 {amount}",
    "wins {amount}": "可赢 {amount}",
    "With the chosen chip": "用所选筹码",
    "Counted exactly, from full decks less the cards that lie open in this round; earlier rounds are not "
    "counted in.": "精确计算：整副牌减去本局已开的牌；以前各局不计在内。",
    "You let Insurance pass in this round.": "本局已放弃保险。",
    "Insured: {hand} at {odds} for {stake}": "已买保险：{hand} {odds}，{stake}",
    "Yours is the highest bet: you may ask to squeeze the cards.": "你的投注最高：可以要求眯牌。",
    "Ask to squeeze": "要求眯牌",
    "Squeeze the Banker's third card first": "先眯庄家第三张牌",
    "Have the Banker's third card opened first": "先开庄家第三张牌",
    "If the House consents, nobody is offered Insurance after the Player's third card.": (
        "如赌场同意，闲家补牌之后对所有人不再提供保险。"
    ),
    "You asked to squeeze; the House has not answered yet.": "已要求眯牌，等待赌场答复。",
    "The squeeze is yours: bend a card up by dragging it, or press it. Bent far enough it is open for "
    "everybody.": "由你眯牌：向上拖动弯起一张牌，或直接点开。弯到一定程度，牌即对所有人打开。",
}

_BOX: Final[dict[str, str]] = {
    "Box": "位置",
    "Box {box}": "{box} 号位",
    "your seat": "你的座位",
    "you stand behind {name}": "站在 {name} 后面",
    "nobody sits here": "无人入座",
    "Choose a box": "请选择位置",
    "Another box": "其他位置",
    "Sit at box {box}": "坐 {box} 号位",
    "Stand behind box {box}": "站在 {box} 号位后面",
    "Limits {limits}": "限额 {limits}",
    "pays": "赔率",
    "your stake": "你的注码",
    "others {amount}": "其他人 {amount}",
    "Chip": "筹码",
    "Other amount": "其他金额",
    "Undo": "撤销",
    "Same again": "重复上局",
    "Clear": "清除",
    "Leave the seat": "离座",
    "The dealer may place bets for me at this table": "荷官可以在本桌代我下注",
    "Unless you allow it, staff cannot bet or choose for you here.": (
        "除非你允许，工作人员不能在本桌代你下注或选择。"
    ),
    "Scripts are off: choose a chip, press a bet, and load the page again to see what happened.": (
        "脚本已关闭：选择筹码，点投注区，然后刷新页面查看结果。"
    ),
    "Load again": "刷新",
    "You are watching. Only players bet.": "你正在观看。只有玩家可以下注。",
    "The felt": "台面",
    "The felt with all boxes": "台面全部位置",
    "Bets on the felt": "台面上的注码",
    "By": "玩家",
    "No bets": "没有注码",
    "Roads": "路单",
    "Roads of this shoe": "本靴路单",
    "Results of this shoe": "本靴结果",
    "Winner": "胜方",
    "Points": "点数",
    "No rounds yet": "还没有牌局",
    "No such table": "没有这张赌桌",
    "This table is not set up yet. A pit manager does that.": "本桌尚未设置，由经理设置。",
    "layout {letter}": "布局 {letter}",
    "My history": "我的记录",
    "Player, Banker": "闲、庄",
    "Side bets": "边注",
    "Differential": "庄闲差额",
}

_PAID: Final[dict[str, str]] = {
    "What it came to": "结果",
    "After the round every bet is explained here: what it won, the arithmetic, the paragraph.": (
        "每局结束后，这里说明每一注的输赢、算式和条款。"
    ),
    "You had no bet in it.": "你在本局没有下注。",
    "Settlement line by line": "逐项派彩",
    "Bet": "投注",
    "Stake": "注码",
    "Arithmetic": "算式",
    "Paragraph": "条款",
    "Together": "合计",
    "won": "赢",
    "lost": "输",
    "came back": "退回",
    "A tie on {points}.": "{points} 点和局。",
    "Player won {own} to {other}.": "闲 {own} 点胜庄 {other} 点。",
    "Banker won {own} to {other}.": "庄 {own} 点胜闲 {other} 点。",
    "Your {stake} on {bet} won {profit} at {pays}.": "你押{bet}的 {stake} 赢得 {profit}，赔率 {pays}。",
    "It wins when: {what}": "获胜条件：{what}",
    "Your {stake} on {bet} lost.": "你押{bet}的 {stake} 输了。",
    "Your {stake} on {bet} came back.": "你押{bet}的 {stake} 退回。",
    "Your {stake} on {bet} won {profit} ({pays}, {cites}).": (
        "你押{bet}的 {stake} 赢得 {profit}（{pays}，{cites}）。"
    ),
    "Your {stake} on {bet} lost ({cites}).": "你押{bet}的 {stake} 输了（{cites}）。",
    "Your {stake} on {bet} came back ({cites}).": "你押{bet}的 {stake} 退回（{cites}）。",
    "{before} less {commission} commission": "{before} 减佣金 {commission}",
    ", {rest} rounded off": "，舍去 {rest}",
    "What each bet pays": "各注赔率",
    "Wins when": "获胜条件",
    "Pays": "赔率",
    "Paragraphs are those of {book}.": "条款出自 {book}。",
    "The hands tie": "庄闲同点",
    "The hands tie on {totals}": "庄闲同为 {totals} 点",
    " or ": "或",
    "{hands} starts with a pair": "{hands}首两张成对",
    "{hands} wins": "{hands}胜",
    " on {totals}": "，{totals} 点",
    " with {cards} cards": "，{cards} 张牌",
    " by {by}": "，胜 {by} 点",
    "one pair": "一对",
    "two pairs": "两对",
    "two pairs of one rank": "两对同点数",
    "{cards} cards in all": "共 {cards} 张牌",
    "{cards} cards": "{cards} 张牌",
    "on {totals}": "{totals} 点",
}

_LOBBY: Final[dict[str, str]] = {
    "Choose a table: sit down at a free box, stand behind somebody, or watch.": (
        "请选择赌桌：在空位入座、站在别人后面，或者观看。"
    ),
    "Choose a table to watch.": "请选择要观看的赌桌。",
    "Choose a table to work at or to watch.": "请选择要工作或观看的赌桌。",
    "In your purse": "钱包余额",
    "Your chips at {table}": "在 {table} 的筹码",
    "Sit down": "入座",
    "or at box": "或选位置",
    "Stand behind": "站在后面",
    "offered": "提供",
    "none": "无",
    "Layout": "布局",
    "Pages of the lobby": "大厅分页",
    "Dealt by": "发牌",
    "the clock": "自动",
    "a dealer": "荷官",
    "face down": "暗牌",
    "Last results": "最近结果",
    "Back to your seat at box {box}": "回到 {box} 号位",
    "Watch": "观看",
    "There is no table in this house yet.": "还没有赌桌。",
}

_PROOF: Final[dict[str, str]] = {
    "Back to the table": "回到赌桌",
    "You have not bet at this table yet.": "你还没有在本桌下注。",
    "None of your rounds among these events.": "这一段记录里没有你的牌局。",
    "The proof of round {number}": "第 {number} 局的证明",
    "Earlier rounds": "更早的牌局",
    "The shoe": "牌靴",
    "Before its first card shoe {number} was bound to this SHA-256:": (
        "第 {number} 靴在发第一张牌之前承诺的 SHA-256："
    ),
    "It holds: the salt and the order below give exactly that.": "相符：由下面的盐值和牌序正好得出。",
    "It does not hold: the salt and the order below give something else.": (
        "不相符：由下面的盐值和牌序得出别的结果。"
    ),
    "The cards of this round are number {first} to {last} of the order.": (
        "本局的牌是牌序中第 {first} 至 {last} 张。"
    ),
    "To check it yourself, take the SHA-256 of this text:": "自行核对：计算以下文字的 SHA-256。",
    "Salt and order": "盐值和牌序",
    "Worked out in this browser: the same.": "本浏览器计算结果：相符。",
    "Worked out in this browser: something else!": "本浏览器计算结果：不符！",
    "The shoe is still in use. Its order and its salt are revealed here when it ends.": (
        "牌靴仍在使用，结束后在此公开牌序和盐值。"
    ),
    "The cards of this table are read from a real shoe; there is no order to bind.": (
        "本桌的牌由实体牌靴读取，没有可承诺的牌序。"
    ),
    "What happened, event by event": "逐项事件",
    "Every event is chained to the one before it by a hash. A hash covers what other players and the staff "
    "did, so it is for auditors; give one the numbers of your events, and he proves them. Times are in "
    "{zone}.": (
        "每个事件都以散列值与前一个相连。散列值涵盖其他玩家和员工的操作，因此只供审计员查看；"
        "请把事件编号交给审计员，由他核实。时间为 {zone}。"
    ),
    "Each hash is made of the event and of the hash before it: nothing can be changed or left out without "
    "all later ones changing. Times are in {zone}.": (
        "每个哈希由事件和前一个哈希算出：任何改动或遗漏都会改变其后所有哈希。时间为 {zone}。"
    ),
    "Event": "事件",
    "Time": "时间",
    "What, and its hash": "内容及哈希",
    "There were more events than fit here; an auditor reads them all.": (
        "事件太多，此处未全部列出；审计员可以全部查阅。"
    ),
}

CHINESE: Final[dict[str, str]] = _ROUND | _HINTS | _ASKED | _BOX | _PAID | _LOBBY | _PROOF
