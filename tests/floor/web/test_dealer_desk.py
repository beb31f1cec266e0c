"""What the forms of the console ask of a table: cards of a line, boxes for players, names, the pay list."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from lammer.floor.views.openings import OpenedAt
from lammer.floor.views.viewing import Viewer, last_settled
from lammer.floor.web.pages.dealer.dealer_view import betting_timer
from lammer.floor.web.pages.dealer.paying import last_pay_list
from lammer.floor.web.pages.site.moments import milliseconds
from support.open_house import in_loop
from support.working_pages import TABLE, Desk, desk, form_for, text

DEALT: Final = ("open_bets", "bet", "close_bets")
NATURAL: Final = ("8S", "KD", "KH", "QC")
DEALER: Final = Viewer("dealer", "dealer")


async def send(at: Desk, do: str, *, json: bool = True, **typed: Any) -> Any:
    """Send a form of the console as the dealer's browser does."""
    dealer = await at.house.person("dealer")
    page = (await dealer.get(f"/tables/{TABLE}/deal")).text
    csrf = form_for(page, "open_bets", {})["csrf"]
    dealer.http.headers["accept"] = "application/json" if json else "text/html"
    form = {"csrf": csrf, "next": f"/tables/{TABLE}/deal", "do": do} | typed
    answer = await dealer.http.post(f"/tables/{TABLE}/deal", data=form, follow_redirects=True)
    del dealer.http.headers["accept"]
    return answer


def lying(at: Desk) -> list[str]:
    return [str(laid.card) for laid in at.round.cards]


@in_loop
async def test_cards_typed_together_are_dealt_in_their_order(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play(*DEALT)
        assert (await send(at, "deal_card", card="8s10♦ kh", key="one")).is_success
        assert lying(at) == ["8S", "TD", "KH"]
        # Sent again because no answer came, they count once.
        assert (await send(at, "deal_card", card="8s10♦ kh", key="one")).is_success
        assert lying(at) == ["8S", "TD", "KH"]


@in_loop
async def test_a_line_with_something_that_is_no_card_deals_nothing(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play(*DEALT)
        refused = await send(at, "deal_card", card="8s 1x kd")
        assert refused.json()["code"] == "not_a_card"
        assert lying(at) == []


@in_loop
async def test_a_line_stops_at_insurance_and_says_what_waits(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play(*DEALT)
        answer = await send(at, "deal_card", json=False, card="QS 3D 6H AC 5D")
        page = text(answer.text)
        assert "Insurance is on offer now: 5D was not dealt. Offer it, then deal 5D." in page
        assert 'value="5D"' in answer.text, "it waits in its field"
        assert lying(at) == ["QS", "3D", "6H", "AC"]
        assert at.round.window == "four_cards"
        # Typed alone, the dealer means it; typed before Insurance was on offer, it waits.
        refused = await send(at, "deal_card", card="5D", behind="yes")
        assert (refused.json()["code"], refused.json()["citation"]["paragraph"]) == (
            "insurance_comes_first",
            at.table.paragraph("insurance_windows"),
        )
        assert (await send(at, "deal_card", card="5D")).is_success
        assert len(lying(at)) == 5


@in_loop
async def test_a_card_sent_again_goes_by_its_key_though_insurance_has_come_on_offer(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play(*DEALT)
        for number, card in enumerate(("QS", "3D", "6H", "AC")):
            assert (await send(at, "deal_card", card=card, key=f"k{number}", behind="yes")).is_success
        assert at.round.window == "four_cards"
        # The answer to the fourth was lost: it is no card that waits.
        assert (await send(at, "deal_card", card="AC", key="k3", behind="yes")).is_success
        assert lying(at) == ["QS", "3D", "6H", "AC"]
        refused = await send(at, "deal_card", card="AC", key="k4", behind="yes")
        assert refused.json()["code"] == "insurance_comes_first"


@in_loop
async def test_a_line_sent_again_says_what_waits_and_deals_nothing_twice(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play(*DEALT)
        for _ in range(2):
            answer = await send(at, "deal_card", json=False, card="QS 3D 6H AC 5D", key="line")
            assert "Insurance is on offer now: 5D was not dealt." in text(answer.text)
            assert lying(at) == ["QS", "3D", "6H", "AC"]


@in_loop
async def test_a_box_is_enough_for_whoever_sits_there(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play("open_bets")
        assert (await send(at, "place_bet", player="", box="2", bet="tie", stake="50")).is_success
        assert [(bet.player, bet.box) for bet in at.round.bets.values()] == [("p2", 2)]
        refused = await send(at, "place_bet", player=" ", box="4", bet="tie", stake="50")
        assert (refused.json()["code"], refused.json()["detail"]) == (
            "no_seated_player",
            "Nobody sits at box 4.",
        )


@in_loop
async def test_a_name_nobody_has_is_asked_about_in_both_languages(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play("open_bets")
        for do in ("take_seat", "place_bet"):
            refused = await send(at, do, player="pp1", box="3", bet="tie", stake="50")
            assert refused.json()["code"] == "unknown_player"
            assert refused.json()["detail"] == "There is nobody called pp1 here."
        assert "pp1" not in at.table.seats
        # A player with an account is known; somebody else's role is nobody to bet for.
        await at.house.person("player")
        assert (await send(at, "take_seat", player="player", box="3")).is_success
        assert (await send(at, "take_seat", player="dealer", box="4")).json()["code"] == "unknown_player"
        assert (await send(at, "", new_player="take_seat", player="pp1", box="5")).is_success
        assert at.table.seats["pp1"] == 5
        dealer = await at.house.person("dealer")
        dealer.http.cookies.set("lammer_language", "zh")
        refused = await send(at, "take_seat", player="pp2", box="6")
        assert refused.json()["detail"] == "这里没有叫 pp2 的人。"


@in_loop
async def test_a_bet_on_a_box_where_another_sits_is_asked_about_once(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play("open_bets", "bet")
        bet: dict[str, Any] = {"player": "p2", "box": "1", "bet": "tie", "stake": "50"}
        refused = await send(at, "place_bet", **bet)
        assert refused.json()["code"] == "back_bet_meant"
        assert refused.json()["detail"] == "p1 sits at box 1: a back bet by p2 on box 1?"
        plain = await send(at, "place_bet", json=False, **bet)
        assert 'name="back_bet" value="place_bet">' in plain.text, "the question stands without a script too"
        assert len(at.round.bets) == 2
        assert (await send(at, "", back_bet="place_bet", **bet)).is_success
        assert (await send(at, "place_bet", **bet | {"bet": "banker"})).is_success, "asked about once"
        assert len(at.round.bets) == 4


@in_loop
async def test_a_new_player_is_added_seated_and_bets_in_one_step(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play("open_bets")
        bet: dict[str, Any] = {"player": "Mr Tan", "box": "3", "bet": "player", "stake": "100"}
        refused = await send(at, "place_bet", **bet)
        assert refused.json()["next"] == "Add them as a new player? They sit down at box 3."
        missing = await send(at, "place_bet", **bet | {"box": "99"})
        assert missing.json()["code"] == "no_such_box", "there is no such box, whoever it is for"
        for _ in range(2):
            assert (await send(at, "", new_player="place_bet", key="tan", **bet)).is_success
        assert at.table.seats["Mr Tan"] == 3
        assert [(placed.player, placed.stake) for placed in at.round.bets.values()] == [("Mr Tan", 100_00)]
        small = await send(at, "place_bet", **bet | {"bet": "small_tiger", "stake": "1"})
        assert small.json()["code"] == "below_minimum"
        assert "on Small Tiger is below" in small.json()["detail"]
        refused = await send(at, "place_bet", **bet | {"player": "p1", "box": "5"})
        assert refused.json()["next"] == "Seat the player first."


@in_loop
async def test_a_new_player_buys_in_for_what_they_hand_over(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play("open_bets")
        bet: dict[str, Any] = {
            "player": "Ms Lee",
            "box": "3",
            "bet": "player",
            "stake": "100",
            "buy_in": "2500",
        }
        plain = await send(at, "place_bet", json=False, **bet)
        assert 'name="buy_in" value="2500"' in plain.text, "what was typed stays while it is asked"
        for _ in range(2):
            assert (await send(at, "", new_player="place_bet", key="lee", **bet)).is_success
        assert at.table.accounts["player:Ms Lee"] == 2_400_00
        # Nobody buys in twice by a slip, and without an amount the first bet brings what is usual.
        assert (await send(at, "", new_player="place_bet", key="again", **bet)).is_success
        assert at.table.accounts["player:Ms Lee"] == 2_300_00
        usual = bet | {"player": "Mr Ong", "box": "4", "buy_in": ""}
        assert (await send(at, "", new_player="place_bet", key="ong", **usual)).is_success
        assert at.table.accounts["player:Mr Ong"] == 900_00
        more = bet | {"player": "Mr Rich", "box": "5", "buy_in": "20000"}
        refused = await send(at, "", new_player="place_bet", key="rich", **more)
        assert refused.json()["code"] == "not_enough_chips"
        assert "player:Mr Rich" not in at.table.accounts


@in_loop
async def test_the_pay_list_is_kept_until_the_next_round_is_paid(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        assert last_pay_list(at.table, last_settled(at.table, DEALER)) is None
        await at.play(*DEALT, *NATURAL, "settle")
        now = last_pay_list(at.table, last_settled(at.table, DEALER))
        assert now is not None
        assert (now.number, now.on_table) == (1, True)
        assert [(group.action, group.total) for group in now.groups] == [("take", 200_00), ("pay", 100_00)]
        await at.play("open_bets")
        later = last_pay_list(at.table, last_settled(at.table, DEALER))
        assert later is not None
        assert (later.number, later.on_table, later.groups) == (1, False, now.groups)
        # A player sees their own lines of it, and a void round takes its place from nobody.
        own = last_settled(at.table, Viewer("p1", "player"))
        assert own is not None
        assert {line["player"] for line in own["lines"]} == {"p1"}


def test_the_timer_counts_up_or_down() -> None:
    opened = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)
    now = opened + timedelta(seconds=75)

    class Betting:
        phase = "betting"

    class AtTable:
        round = Betting()

    table: Any = AtTable()
    open_for = betting_timer(table, OpenedAt(1, opened), None, now)
    assert open_for is not None
    assert (open_for.clock, open_for.left, open_for.at) == ("1:15", False, milliseconds(opened))
    left = betting_timer(table, OpenedAt(1, opened), (opened + timedelta(seconds=80), 80.0), now)
    assert left is not None
    assert (left.clock, left.left) == ("0:05", True)
