"""Proofs about bets: when each wins (section 1) and what it pays on which layouts (section 4)."""

from __future__ import annotations

from fractions import Fraction

from paragraphs import rounds as r
from paragraphs.clause import Clause, proof


@proof
def big_tiger(c: Clause) -> None:
    c.decides("big_tiger", [r.B6_THREE], [r.B6_TWO, r.TIE_6_THREE, r.P6_THREE, r.B7_THREE, r.BANKER_WINS[5]])


@proof
def small_tiger(c: Clause) -> None:
    c.decides("small_tiger", [r.B6_TWO], [r.B6_THREE, r.TIES[6], r.P6_TWO, r.B7_TWO, r.B6_LOSES_TO_7])


@proof
def big_buffalo(c: Clause) -> None:
    c.decides(
        "big_buffalo", [r.P6_THREE], [r.P6_TWO, r.TIE_6_THREE, r.B6_THREE, r.P7_THREE, r.PLAYER_WINS[5]]
    )


@proof
def small_buffalo(c: Clause) -> None:
    c.decides("small_buffalo", [r.P6_TWO], [r.P6_THREE, r.TIES[6], r.B6_TWO, r.P7_TWO, r.P6_LOSES_TO_7])


@proof
def banker_big_7(c: Clause) -> None:
    c.decides(
        "banker_big_7", [r.B7_THREE], [r.B7_TWO, r.TIE_7_THREE, r.P7_THREE, r.B6_THREE, r.BANKER_WINS[8]]
    )


@proof
def banker_small_7(c: Clause) -> None:
    c.decides("banker_small_7", [r.B7_TWO], [r.B7_THREE, r.TIES[7], r.P7_TWO, r.B6_TWO, r.B7_LOSES_TO_8])


@proof
def player_big_7(c: Clause) -> None:
    c.decides(
        "player_big_7", [r.P7_THREE], [r.P7_TWO, r.TIE_7_THREE, r.B7_THREE, r.P6_THREE, r.PLAYER_WINS[8]]
    )


@proof
def player_small_7(c: Clause) -> None:
    c.decides("player_small_7", [r.P7_TWO], [r.P7_THREE, r.TIES[7], r.B7_TWO, r.P6_TWO, r.P7_LOSES_TO_8])


@proof
def tiger(c: Clause) -> None:
    c.decides(
        "tiger", [r.B6_TWO, r.B6_THREE], [r.TIES[6], r.TIE_6_THREE, r.P6_TWO, r.B7_TWO, r.B6_LOSES_TO_7]
    )


@proof
def tiger_buffalo(c: Clause) -> None:
    c.decides(
        "tiger_buffalo",
        [r.B6_TWO, r.B6_THREE, r.P6_TWO, r.P6_THREE],
        [r.TIES[6], r.TIE_6_THREE, r.B7_TWO, r.P7_TWO, r.BANKER_WINS[5], r.PLAYER_WINS[5]],
    )


@proof
def tiger_tie(c: Clause) -> None:
    c.decides("tiger_tie", [r.TIES[6], r.TIE_6_THREE], [r.TIES[n] for n in range(10) if n != 6] + [r.B6_TWO])


@proof
def tie(c: Clause) -> None:
    c.decides(
        "tie", [*r.TIES.values(), r.TIE_6_THREE], [r.B6_TWO, r.P6_TWO, r.BANKER_WINS[1], r.PLAYER_WINS[9]]
    )


@proof
def wu_dalang(c: Clause) -> None:
    c.decides(
        "wu_dalang",
        [r.PLAYER_WINS[1]],
        [r.TIES[1], r.BANKER_WINS[1], r.PLAYER_WINS[2], r.PLAYER_WINS[9], r.TIES[0]],
    )


@proof
def pairs(c: Clause) -> None:
    c.decides(
        "player_pair",
        [r.PLAYER_PAIR, r.PLAYER_PAIR_LOSES, r.PAIR_ON_TIE, r.TWIN_PAIR],
        [r.BANKER_PAIR, r.NO_PAIR, r.BANKER_PAIR_LOSES],
    )
    c.decides(
        "banker_pair",
        [r.BANKER_PAIR, r.BANKER_PAIR_LOSES, r.DOUBLE_PAIR],
        [r.PLAYER_PAIR, r.NO_PAIR, r.PAIR_ON_TIE],
    )


@proof
def tiger_pair(c: Clause) -> None:
    won = [r.PLAYER_PAIR, r.BANKER_PAIR, r.DOUBLE_PAIR, r.TWIN_PAIR, r.PAIR_ON_TIE, r.BANKER_PAIR_LOSES]
    c.decides("tiger_pair", won, [r.NO_PAIR, r.B6_TWO.replace("2H 2D", "3H AD")])


@proof
def banker_char_siu(c: Clause) -> None:
    lost = [r.B6_THREE, r.PLAYER_BY_ONE[7, 4], r.TIES[7], r.BANKER_WINS[7], "KS 6H / KD 8C", "KS 7H / KD 9C"]
    c.decides("banker_char_siu", list(r.BANKER_BY_ONE.values()), lost)


@proof
def player_char_siu(c: Clause) -> None:
    lost = [r.P6_THREE, r.BANKER_BY_ONE[7, 4], r.TIES[7], r.PLAYER_WINS[7], "KS 8H / KD 6C", "KS 9H / KD 7C"]
    c.decides("player_char_siu", list(r.PLAYER_BY_ONE.values()), lost)


@proof
def char_siu_on(c: Clause) -> None:
    """One of the three totals a Char Siu can be won on, with every number of cards that can show it."""
    rounds = r.BANKER_BY_ONE if c.facts["hand"] == "banker" else r.PLAYER_BY_ONE
    bet, total = f"{c.facts['hand']}_char_siu", c.facts["total"]
    ways = {cards: hands for (points, cards), hands in rounds.items() if points == total}
    for cards, hands in ways.items():
        line = c.line(bet, hands)
        assert line.profit == {4: 100_00, 5: 150_00, 6: 500_00}[cards], (total, cards)
    assert min(ways) == 4
    assert max(ways) == 6


@proof
def banker_without_commission(c: Clause) -> None:
    for points, hands in r.BANKER_WINS.items():
        c.pays("banker", hands, "50.00" if points == 6 else "100.00", stake="100")
    c.pays("banker", r.B6_TWO, "50.00", stake="100")
    line = c.line("banker", r.B6_TWO, "0.05")
    assert (line.profit, line.remainder, line.commission) == (2, Fraction(1, 2), 0)


@proof
def banker_with_commission(c: Clause) -> None:
    for hands in (*r.BANKER_WINS.values(), r.B6_TWO):
        c.pays("banker", hands, "95.00", stake="100")
        assert c.line("banker", hands, "100").commission == 5_00
    line = c.line("banker", r.B7_TWO, "0.10")
    assert (line.profit, line.commission, line.remainder) == (9, 1, Fraction(1, 2))


@proof
def player_pays_even_money(c: Clause) -> None:
    for hands in r.PLAYER_WINS.values():
        c.pays("player", hands, "100.00", stake="100")


@proof
def tie_pays(c: Clause) -> None:
    for hands in r.TIES.values():
        c.pays("tie", hands, "80.00")


@proof
def pairs_pay(c: Clause) -> None:
    c.pays("player_pair", r.PLAYER_PAIR, "110.00")
    c.pays("banker_pair", r.BANKER_PAIR, "110.00")


@proof
def tigers_pay(c: Clause) -> None:
    c.pays("big_tiger", r.B6_THREE, "500.00")
    c.pays("small_tiger", r.B6_TWO, "220.00")


@proof
def buffalos_pay(c: Clause) -> None:
    c.pays("big_buffalo", r.P6_THREE, "350.00")
    c.pays("small_buffalo", r.P6_TWO, "200.00")


@proof
def banker_sevens_pay(c: Clause) -> None:
    c.pays("banker_big_7", r.B7_THREE, "300.00")
    c.pays("banker_small_7", r.B7_TWO, "150.00")


@proof
def player_sevens_pay(c: Clause) -> None:
    c.pays("player_big_7", r.P7_THREE, "300.00")
    c.pays("player_small_7", r.P7_TWO, "150.00")


@proof
def tiger_buffalo_pays(c: Clause) -> None:
    for hands in (r.B6_TWO, r.B6_THREE, r.P6_TWO, r.P6_THREE):
        c.pays("tiger_buffalo", hands, "60.00")


@proof
def tiger_pair_pays_its_highest_tier(c: Clause) -> None:
    c.pays("tiger_pair", r.PLAYER_PAIR, "40.00")
    c.pays("tiger_pair", r.BANKER_PAIR, "40.00")
    c.pays("tiger_pair", r.DOUBLE_PAIR, "200.00")
    c.pays("tiger_pair", r.TWIN_PAIR, "1000.00")


@proof
def tiger_tie_pays(c: Clause) -> None:
    c.pays("tiger_tie", r.TIES[6], "350.00")


@proof
def wu_dalang_pays(c: Clause) -> None:
    c.pays("wu_dalang", r.PLAYER_WINS[1], "1500.00")


@proof
def tiger_pays_by_cards(c: Clause) -> None:
    c.pays("tiger", r.B6_TWO, "120.00")
    c.pays("tiger", r.B6_THREE, "200.00")


@proof
def char_siu_pays_by_cards(c: Clause) -> None:
    for bet, rounds in (("banker_char_siu", r.BANKER_BY_ONE), ("player_char_siu", r.PLAYER_BY_ONE)):
        for (_, cards), hands in rounds.items():
            c.pays(bet, hands, {4: "100.00", 5: "150.00", 6: "500.00"}[cards])


@proof
def offered_on(c: Clause) -> None:
    c.offered_on(c.facts["bets"], c.facts["letters"])
