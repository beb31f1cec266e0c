"""Proofs about Insurance and about outcomes established before the round is over."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from lammer import deal, established, offers, parse_cards, standings
from lammer.game.money import parse_amount
from paragraphs.clause import NATURAL, Clause, proof, shoe_order
from paragraphs.proofs_play import BANKER_ROWS

# hand, window, own points, points against: odds, and whether a tie pays. As the pay table prints it.
OFFERS = [
    ("player", "four_cards", "5", "4", "3:2", False),
    ("player", "four_cards", "6", "012345", "5:2", False),
    ("player", "four_cards", "7", "012345", "4:1", False),
    ("player", "third_card", "5", "01234", "3:2", False),
    ("player", "third_card", "6", "012345", "5:2", False),
    ("player", "third_card", "7", "0123456", "4:1", False),
    ("player", "third_card", "8", "0123456", "10:1", False),
    ("player", "third_card", "9", "0123456", "10:1", True),
    ("banker", "four_cards", "4", "0123", "3:2", False),
    ("banker", "four_cards", "5", "01234", "3:2", False),
    ("banker", "four_cards", "6", "012345", "5:2", False),
    ("banker", "four_cards", "7", "012345", "4:1", False),
    ("banker", "third_card", "123456", "0", "10:1", True),
    ("banker", "third_card", "1", "1", "6:1", False),
    ("banker", "third_card", "23456", "1", "10:1", False),
    ("banker", "third_card", "3456", "2", "4:1", False),
    ("banker", "third_card", "4", "3", "5:2", False),
]
EXPECTED = {
    (hand, window, int(own), int(other)): (odds, tie)
    for hand, window, owns, others, odds, tie in OFFERS
    for own in owns
    for other in others
}
RANK = ["T", "A", "2", "3", "4", "5", "6", "7", "8", "9"]

LOST_AFTER_FOUR = "QS 6H / 3D AC 5D"
NINE_AFTER_THREE = "AS KH 8D / KD 2C {}S"
BANKER_AGAINST_NOTHING = "KS 4H 6D / KD 4C {}S"


def _on_offer(c: Clause, player: list[str], banker: list[str]) -> dict[tuple[str, str], tuple[str, bool]]:
    found = offers(c.book, parse_cards(player), parse_cards(banker))
    assert len({offer.hand for offer in found}) == len(found), "two rules apply"
    return {(offer.hand, offer.window): (str(offer.odds), offer.tie_wins is not None) for offer in found}


def _listed(window: str, player: int, banker: int) -> dict[tuple[str, str], tuple[str, bool]]:
    found = {}
    for hand, own, other in (("player", player, banker), ("banker", banker, player)):
        if (hand, window, own, other) in EXPECTED:
            found[hand, window] = EXPECTED[hand, window, own, other]
    return found


@proof
def every_situation_after_four_cards(c: Clause) -> None:
    for player in range(10):
        for banker in range(10):
            on_offer = _on_offer(c, ["KS", f"{RANK[player]}H"], ["QD", f"{RANK[banker]}C"])
            to_come = player < 8 and banker < 8 and (player < 6 or banker < 6)
            assert on_offer == (_listed("four_cards", player, banker) if to_come else {}), (player, banker)


@proof
def every_situation_after_the_third_card(c: Clause) -> None:
    for two_cards in range(6):
        for third in range(10):
            for banker in range(8):
                player = (two_cards + third) % 10
                hand = ["KS", f"{RANK[two_cards]}H", f"{RANK[third]}D"]
                on_offer = _on_offer(c, hand, ["QD", f"{RANK[banker]}C"])
                to_come = BANKER_ROWS[banker][third] == "D"
                assert on_offer == (_listed("third_card", player, banker) if to_come else {}), (hand, banker)


@proof
def pays_in_every_situation(c: Clause) -> None:
    insurance = c.book.insurance
    assert insurance is not None
    assert {offer.cite.paragraph for offer in insurance.offers} == {c.number}
    for hands, hand, window, profit in (
        ("KS 5H 2D / KD 4C 5S", "player", "four_cards", "15.00"),
        (LOST_AFTER_FOUR, "player", "four_cards", "25.00"),
        ("QS 7H / 3D AC 5D", "player", "four_cards", "40.00"),
        ("KS AH 4D / KD 2C 5S", "player", "third_card", "15.00"),
        ("KS AH 5D / KD 2C 6S", "player", "third_card", "25.00"),
        ("KS AH 6D / KD 2C 6S", "player", "third_card", "40.00"),
        ("KS AH 7D / KD 2C 7S", "player", "third_card", "100.00"),
        (NINE_AFTER_THREE.format("7"), "player", "third_card", "100.00"),
        ("KS 3H 5D / KD 4C TS", "banker", "four_cards", "15.00"),
        ("KS 4H 4D / KD 5C TS", "banker", "four_cards", "15.00"),
        ("KS 5H 3D / KD 6C", "banker", "four_cards", "25.00"),
        ("KS 5H 3D / KD 7C", "banker", "four_cards", "40.00"),
        ("KS 4H 7D / KD AC 9S", "banker", "third_card", "60.00"),
        ("KS 4H 7D / KD 3C 7S", "banker", "third_card", "100.00"),
        ("KS 5H 7D / KD 3C 7S", "banker", "third_card", "40.00"),
        ("KS AH 2D / KD 4C 6S", "banker", "third_card", "25.00"),
    ):
        line = c.insured(hands, hand, window)
        assert (line.outcome, line.profit) == ("won", parse_amount(profit)), hands
        c.cited(line)


@proof
def pays_when_the_insured_hand_loses(c: Clause) -> None:
    won = c.insured(LOST_AFTER_FOUR, "player", "four_cards", "50")
    assert (won.outcome, won.profit, won.returned) == ("won", 125_00, 175_00)
    c.cited(won)
    lost = c.insured("QS 6H / 3D AC AD", "player", "four_cards", "50")
    assert (lost.outcome, lost.returned) == ("lost", 0)
    c.cited(lost)
    odd = c.insured("KS 5H 2D / KD 4C 5S", "player", "four_cards", "0.01")
    assert (odd.profit, odd.remainder) == (1, Fraction(1, 2))


@proof
def needs_an_original_bet(c: Clause) -> None:
    c.refused(
        "nothing_to_insure",
        lambda: c.settle(LOST_AFTER_FOUR, "A", "banker 100, tie 100", "player four_cards 10"),
    )
    c.refused("nothing_to_insure", lambda: _in_another_box(c))
    both = c.settle(LOST_AFTER_FOUR, "A", "player 30, player 20", "player four_cards 50")
    assert both.net == {"p1": 75_00}


def _in_another_box(c: Clause) -> None:
    from lammer import PlacedBet, PlacedInsurance, settle

    insured = [PlacedInsurance("p1", 2, "player", "four_cards", 100)]
    settle(c.book, "A", shoe_order(LOST_AFTER_FOUR), [PlacedBet("p1", 1, "player", 100)], insured)


@proof
def original_bets_are_on_hands(c: Clause) -> None:
    originals = {bet.name: bet.original for bet in c.book.bets.values() if bet.original}
    assert originals == {"player": "player", "banker": "banker"}
    c.refused(
        "nothing_to_insure",
        lambda: c.settle(LOST_AFTER_FOUR, "A", "tie 10", "player four_cards 1"),
        cited=False,
    )


@proof
def offered_only_while_a_card_is_to_come(c: Clause) -> None:
    assert not _on_offer(c, ["KS", "6H"], ["3D"])
    assert not _on_offer(c, ["KS", "7H"], ["QD", "6C"])
    assert not _on_offer(c, ["KS", "8H"], ["QD", "4C"])
    assert not _on_offer(c, ["KS", "QH", "8D"], ["QD", "3C"]), "Banker 3 stands against an 8"
    assert _on_offer(c, ["KS", "AH", "7D"], ["QD", "3C"]) == {("player", "third_card"): ("10:1", False)}
    assert not _on_offer(c, ["KS", "6H"], ["QD", "5C", "2S"])
    c.refused(
        "insurance_not_on_offer",
        lambda: c.settle("KS 7H / QD 6C", "A", "player 100", "player four_cards 10"),
        cited=False,
    )


@proof
def offered_in_two_windows(c: Clause) -> None:
    hands = "KS 5H 4D / KD 4C 6S"
    settled = c.settle(
        hands, "A", "player 100", "player four_cards 100, player third_card 25", maximum=10_000_00
    )
    assert [line.outcome for line in settled.lines] == ["won", "lost", "lost"]
    for window in ("four_cards", "third_card"):
        c.refused(
            "insurance_not_on_offer",
            partial(c.settle, NATURAL, "A", "player 100", f"player {window} 10", maximum=10_000_00),
        )


@proof
def banker_insurance_on_two_cards_only(c: Clause) -> None:
    assert _on_offer(c, ["KS", "2H"], ["QD", "4C"]) == {("banker", "four_cards"): ("3:2", False)}
    assert not _on_offer(c, ["KS", "2H", "AD"], ["QD", "4C", "2S"])
    assert c.book.insurance is not None
    assert c.book.insurance.still_to_draw == c.book.cite(c.number)
    offered_only_while_a_card_is_to_come(c)


@proof
def limited_by_original_bet_and_maximum(c: Clause) -> None:
    hands = "KS 5H 4D / KD 4C 6S"
    c.settle(hands, "A", "player 100", "player four_cards 100")
    c.refused(
        "insurance_above_original_bet",
        lambda: c.settle(hands, "A", "player 100", "player four_cards 100.01"),
    )
    c.refused(
        "insurance_above_original_bet",
        lambda: c.settle(hands, "A", "player 100", "player four_cards 60, player four_cards 60"),
    )
    at_ten = "player third_card {}"
    c.refused("maximum_not_given", lambda: c.settle(hands, "A", "player 100", at_ten.format(1)))
    c.settle(hands, "A", "player 100", at_ten.format("25"), maximum=100_00)
    c.refused(
        "insurance_above_share_of_maximum",
        lambda: c.settle(hands, "A", "player 100", at_ten.format("25.01"), maximum=100_00),
    )
    c.settle(hands, "A", "player 100", at_ten.format("100"), maximum=400_00)
    c.refused(
        "insurance_above_original_bet",
        lambda: c.settle(hands, "A", "player 100", at_ten.format("100.01"), maximum=4000_00),
    )
    shares = c.book.insurance.shares if c.book.insurance else ()
    assert [(str(share.odds), share.share) for share in shares] == [("10:1", Fraction(1, 4))]


@proof
def tie_returns_insurance(c: Clause) -> None:
    for hands, hand, window in (
        ("KS 6H / KD 4C 2S", "player", "four_cards"),
        ("KS AH 4D / KD 2C 3S", "player", "third_card"),
        ("KS AH 7D / KD 2C 6S", "player", "third_card"),
        ("KS 3H 5D / KD 4C 4S", "banker", "four_cards"),
        ("KS 4H 7D / KD 3C 8S", "banker", "third_card"),
    ):
        line = c.insured(hands, hand, window)
        assert (line.outcome, line.returned, line.profit) == ("returned", line.stake, 0), hands
        c.cited(line)


@proof
def player_insurance_on_nine_wins_the_nine_nine_tie(c: Clause) -> None:
    line = c.insured(NINE_AFTER_THREE.format("7"), "player", "third_card")
    assert (line.outcome, line.profit) == ("won", 100_00)
    c.cited(line)
    assert c.insured(NINE_AFTER_THREE.format("6"), "player", "third_card").outcome == "lost"


@proof
def insurance_bought_after_four_cards_is_returned_on_nine_nine(c: Clause) -> None:
    line = c.insured("KS 5H 4D / KD 4C 5S", "player", "four_cards")
    assert (line.outcome, line.returned) == ("returned", line.stake)
    assert deal(c.book, shoe_order("KS 5H 4D / KD 4C 5S")).winner == "tie"


@proof
def banker_insurance_against_nothing_wins_the_nought_tie(c: Clause) -> None:
    for banker, last in ((1, 9), (2, 8), (3, 7), (4, 6), (5, 5), (6, 4)):
        hands = f"KS 4H 6D / KD {RANK[banker]}C {RANK[last]}S"
        line = c.insured(hands, "banker", "third_card")
        assert (line.outcome, line.profit) == ("won", 100_00), banker
        c.cited(line)
    assert c.insured("KS 4H 6D / KD 4C 7S", "banker", "third_card").outcome == "lost"


@proof
def an_outcome_stands_once_a_bet_is_decided(c: Clause) -> None:
    layout = c.book.layout(c.facts["layout"])
    after_two = standings(c.book, parse_cards("QS"), parse_cards("3D"))
    assert set(after_two.values()) == {"open"}
    assert not established(c.book, layout, after_two)
    natural = standings(c.book, parse_cards("QS 9H"), parse_cards("3D 4C"))
    assert "open" not in natural.values()
    assert established(c.book, layout, natural)


@proof
def no_outcome_stands_before(c: Clause) -> None:
    layout = c.book.layout(c.facts["layout"])
    for player, banker in (("", ""), ("KS", ""), ("KS", "KD")):
        assert not established(c.book, layout, standings(c.book, parse_cards(player), parse_cards(banker)))
    assert not established(c.book, layout, standings(c.book, [None, None], [None, None])), "face down"
