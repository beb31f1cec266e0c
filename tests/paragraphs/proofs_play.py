"""Proofs about cards, decks, layouts and drawing: sections 2 and 3 up to the result of a round."""

from __future__ import annotations

from functools import partial

from lammer import deal, parse_cards, standings
from lammer.game.drawing import banker_draws, next_hand, player_draws
from lammer.game.hands import total
from lammer.game.shoe import shuffled
from paragraphs.clause import NATURAL, Clause, proof, shoe_order
from paragraphs.rounds import BANKER_WINS, NO_PAIR, PLAYER_WINS, TIES

# The Banker's row against third cards 0 to 9, then against a Player who stood: D draws, S stands.
BANKER_ROWS = {
    0: "DDDDDDDDDD D",
    1: "DDDDDDDDDD D",
    2: "DDDDDDDDDD D",
    3: "DDDDDDDDSD D",
    4: "SSDDDDDDSS D",
    5: "SSSSDDDDSS D",
    6: "SSSSSSDDSS S",
    7: "SSSSSSSSSS S",
}
PLAYER_ROW = "DDDDDDSS"


@proof
def layouts(c: Clause) -> None:
    assert "".join(c.book.layouts) == c.facts["letters"]
    c.refused("unknown_layout", lambda: c.settle(NATURAL, "Z", "player 10"))


@proof
def boxes(c: Clause) -> None:
    for letter, (fewest, most) in c.facts["positions"].items():
        layout = c.book.layout(letter)
        assert (layout.fewest, layout.most) == (fewest, most), letter
    chinese = {letter for letter, layout in c.book.layouts.items() if layout.chinese}
    assert chinese == set(c.facts["chinese"])
    assert c.settle(NATURAL, "A", "player 10").lines[0].box == 1
    most = c.book.layout("A").most
    c.refused("no_such_box", lambda: _in_box(c, most + 1))
    c.refused("no_such_box", lambda: _in_box(c, 0))
    _in_box(c, most)


def _in_box(c: Clause, box: int) -> None:
    from lammer import PlacedBet, settle

    settle(c.book, "A", shoe_order(NATURAL), [PlacedBet("p1", box, "player", 100)])


@proof
def decks(c: Clause) -> None:
    for number in (4, 7, 10):
        assert len(shuffled(c.book, number, lambda n: 0).cards) == 52 * number
        c.settle(NATURAL, "A", "player 10", decks=number)
    for number in (0, 3, 11):
        c.refused("impossible_decks", partial(c.settle, NATURAL, "A", "player 10", decks=number))
    assert c.settle("2S 2S 2S / 2S KD 5C", "A", "player 10", decks=4).round.cards_dealt == 6
    c.refused("impossible_card", lambda: c.settle("2S 2S 2S / 2S 2S 5C", "A", "player 10", decks=4))


@proof
def card_values(c: Clause) -> None:
    worth = {
        "A": 1,
        "2": 2,
        "3": 3,
        "4": 4,
        "5": 5,
        "6": 6,
        "7": 7,
        "8": 8,
        "9": 9,
        "T": 10,
        "J": 0,
        "Q": 0,
        "K": 0,
    }
    assert dict(c.book.cards.points) == worth
    for rank, points in worth.items():
        assert total(c.book, parse_cards(f"{rank}S")) == points % 10


@proof
def cited_values(c: Clause) -> None:
    for rank in c.facts["ranks"]:
        assert c.book.cards.points_cite[rank].paragraph == c.number
    card_values(c)


@proof
def point_total(c: Clause) -> None:
    for cards, points in (("7S 8H", 5), ("KS QH", 0), ("9S 9H 9D", 7), ("4S 5H", 9), ("TS 6H 4D", 0)):
        assert total(c.book, parse_cards(cards)) == points
    assert c.book.cards.total_cite == c.book.cite(c.number)


@proof
def hands(c: Clause) -> None:
    played = deal(c.book, parse_cards("QS 3D 6H AC 5D"))
    assert (played.player.cards, played.banker.cards) == (("QS", "6H"), ("3D", "AC", "5D"))


@proof
def dealing_order(c: Clause) -> None:
    played = deal(c.book, parse_cards("9S 7D KH KC"))
    assert (played.player.cards, played.banker.cards) == (("9S", "KH"), ("7D", "KC"))
    assert c.book.cards.order_cite == c.book.cite(c.number)
    dealt = [("", ""), ("9S", ""), ("9S", "7D"), ("9S KH", "7D")]
    sides = [next_hand(c.book, parse_cards(player), parse_cards(banker)) for player, banker in dealt]
    assert sides == ["player", "banker", "player", "banker"]
    c.refused("too_few_cards", lambda: deal(c.book, parse_cards("9S 7D KH")))
    pairs = [bet.name for bet in c.book.bets.values() if bet.name.endswith("_pair")]
    after_four = standings(c.book, parse_cards("KS KH"), parse_cards("2D 3C"))
    assert "open" not in {after_four[name] for name in pairs}


@proof
def player_cards(c: Clause) -> None:
    for points, word in enumerate(PLAYER_ROW):
        for banker in range(8):
            drawing = player_draws(c.book, points, banker)
            assert (drawing.draws, drawing.cite) == (word == "D", c.book.cite(c.facts["cites"]))


@proof
def banker_cards(c: Clause) -> None:
    for points, row in BANKER_ROWS.items():
        for third, word in enumerate(row[:10]):
            drawing = banker_draws(c.book, 0, points, third)
            assert (drawing.draws, drawing.cite) == (word == "D", c.book.cite(c.facts["cites"])), (
                points,
                third,
            )


@proof
def banker_against_a_standing_player(c: Clause) -> None:
    for points, row in BANKER_ROWS.items():
        drawing = banker_draws(c.book, 6, points, None)
        assert (drawing.draws, drawing.cite) == (row[-1] == "D", c.book.cite(c.number)), points
    stood = {
        total: cell.draws for (total, third), cell in c.book.table_of_play.banker.items() if third is None
    }
    assert stood == {total: total < 6 for total in range(10)}


@proof
def naturals(c: Clause) -> None:
    for natural in (8, 9):
        for other in range(10):
            for player, banker in ((natural, other), (other, natural)):
                assert not player_draws(c.book, player, banker).draws
                assert not banker_draws(c.book, player, banker, None).draws
                assert player_draws(c.book, player, banker).cite == c.book.table_of_play.natural_cite
    assert c.book.table_of_play.natural == {8, 9}
    deal(c.book, parse_cards("KS 2D 8H 3C"))
    refused = c.refused("too_many_cards", lambda: deal(c.book, parse_cards("KS 2D 8H 3C 4S")), cited=False)
    assert refused.citation == c.book.table_of_play.natural_cite


@proof
def third_cards_are_mandatory(c: Clause) -> None:
    for cards, code in (
        ("KS 2D 5H 5C", "too_few_cards"),
        ("KS 2D 6H 3C", "too_few_cards"),
        ("KS 2D 5H 5C AS AH AD", "too_many_cards"),
        ("KS KD 6H 7C 5S", "too_many_cards"),
        ("2S 3D 3H 2C 4D", "too_few_cards"),
    ):
        c.refused(code, partial(deal, c.book, parse_cards(cards)), cited=False)


@proof
def winner(c: Clause) -> None:
    for points, player_wins in PLAYER_WINS.items():
        assert deal(c.book, shoe_order(player_wins)).winner == "player", points
        assert deal(c.book, shoe_order(BANKER_WINS[points])).winner == "banker", points
    for low in range(8):
        for high in range(low + 1, 8):
            if low >= 6:
                assert deal(c.book, parse_cards(f"KS QD {low}H {high}C")).winner == "banker"
    assert deal(c.book, parse_cards("KS QD 9H 8C")).winner == "player"
    for points, tie in TIES.items():
        assert deal(c.book, shoe_order(tie)).winner == "tie", points


@proof
def winner_cited(c: Clause) -> None:
    winner(c)
    for bet, hands in (("player", PLAYER_WINS[5]), ("banker", BANKER_WINS[5])):
        c.cited(c.line(bet, hands))
    for bet, hands in (("player", BANKER_WINS[5]), ("banker", PLAYER_WINS[5])):
        line = c.line(bet, hands)
        assert (line.outcome, line.returned) == ("lost", 0)
        c.cited(line)


@proof
def tie_returns_originals(c: Clause) -> None:
    for points, tie in TIES.items():
        for bet in ("player", "banker"):
            line = c.line(bet, tie)
            assert (line.outcome, line.returned, line.profit) == ("returned", line.stake, 0), points
            c.cited(line)


@proof
def tie_returns_hand_bets(c: Clause) -> None:
    """Original Bets are those on the two hands: what a tie gives back, and nothing else."""
    originals = {bet.name: bet.original for bet in c.book.bets.values() if bet.original}
    assert originals == {"player": "player", "banker": "banker"}
    for name in c.book.bets:
        returned = c.line(name, TIES[0]).outcome == "returned"
        assert returned == (name in originals), name


@proof
def bets_that_exist(c: Clause) -> None:
    assert " ".join(c.book.bets) == c.facts["bets"]
    assert c.book.bets_cite == c.book.cite(c.number)
    c.refused("unknown_bet", lambda: c.settle(NATURAL, "A", "dragon 10"))
    for name, bet in c.book.bets.items():
        line = c.line(name, NO_PAIR)
        assert line.bet == bet.name, "a side bet needs no bet on a hand"
