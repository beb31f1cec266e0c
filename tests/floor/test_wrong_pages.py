"""Every irregularity of the documents, from its page to what the table does: the forms sent as they stand.

A scene is dealt over the API, somebody who may decide opens the page of what happened, fills its form in and
sends it. What follows is read from the table.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from floor.open_house import in_loop
from floor.working_pages import TABLE, desk, form_for, text
from lammer.floor.pages.something_wrong import CORRECTED
from lammer.floor.pages.what_happened import ASKS, PLAIN

DEALT: Final = ("open_bets", "bet", "close_bets")
"""Bets of two players, closed: p1 has 100 on Player, p2 200 on Banker."""
NOTHING_TO_ENTER: Final = (
    "withdrawal_too_late", "below_minimum", "late_bet", "misplaced_bet", "insurance_forgone",
)  # fmt: skip


def test_every_irregularity_has_a_scene_here() -> None:
    source = Path(__file__).read_text("utf-8")
    assert not [name for name in PLAIN if f'"{name}"' not in source]
    assert not ASKS.keys() & set(NOTHING_TO_ENTER)


@in_loop
async def test_hands_swapped_are_put_right_by_the_dealer(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play(*DEALT, "QS")
        page = await at.send("dealer", "swapped_hands", "deal_card", card="3d", to="player")
        assert "Player 2" in text(page)
        assert "Banker 1 ← moves" in text(page)
        assert "The table has taken it." in text(page)
        await at.send("dealer", "swapped_hands", "reconstruct", _irregularity="swapped_hands")
        assert [card.hand for card in at.round.cards] == ["player", "banker"]
        assert at.round.options == {"p1": "", "p2": ""}


@in_loop
async def test_excess_cards_are_for_the_pit_supervisor(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play(*DEALT, *["QS", "3D", "6H", "AC", "5D"])
        await at.send("dealer", "excess_cards", "deal_card", card="2C", to="banker")
        page = await at.send("dealer", "excess_cards", "reconstruct", _irregularity="excess_cards")
        assert "it takes a Pit Supervisor or above" in text(page)
        assert at.round.misplaced
        page = await at.page("pit_supervisor", "excess_cards")
        assert "to the next round ← moves" in text(page)
        assert "The players have no options now." in text(page)
        await at.send("pit_supervisor", "excess_cards", "reconstruct", _irregularity="excess_cards")
        assert (at.round.misplaced, list(at.table.carried), at.round.options) == (False, ["2C"], None)


@in_loop
async def test_a_wrong_number_of_cards_that_cannot_be_put_right_voids(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play(*DEALT, *["QS", "3D", "6H", "AC", "5D"])
        await at.send("dealer", "excess_cards", "deal_card", card="2C", to="player")
        page = await at.send("pit_supervisor", "wrong_number_of_cards", "reconstruct", _possible="no")
        assert at.round.phase == "void"
        assert "Round 1" in text(page)


@in_loop
async def test_cards_drawn_together_count_in_the_order_that_is_decided(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play(*DEALT, "QS")
        given = {"order": "3d, 10♠", "replace_shoe": "yes"}
        await at.send("pit_supervisor", "simultaneous_cards", "order_simultaneous", **given)
        assert [str(card.card) for card in at.round.cards] == ["QS", "3D", "TS"]
        assert at.round.options == {"p1": "", "p2": ""}
        assert at.table.last_of_shoe


@in_loop
async def test_a_card_face_up_where_it_belongs_face_down(tmp_path: Path) -> None:
    async with desk(tmp_path, face_down=True) as at:
        await at.play(*DEALT, "QS")
        await at.send("dealer", "face_up_cards", "deal_card", card="3D", _face_up="yes")
        assert [card.face_up for card in at.round.cards] == [False, True]
        await at.send("dealer", "face_up_cards", "note_face_up")
        assert at.round.options == {"p1": "", "p2": ""}


@pytest.mark.parametrize(("card", "phase"), [("5S", "dealing"), ("", "void")])
def test_a_damaged_card_is_found_out_or_the_round_is_void(tmp_path: Path, card: str, phase: str) -> None:
    async def scene() -> None:
        async with desk(tmp_path) as at:
            await at.play(*DEALT, "QS", "3D")
            typed = {"hand": "player", "place": "1", "card": card}
            await at.send("pit_supervisor", "damaged_cards", "judge_damaged_card", **typed)
            assert at.round.phase == phase
            assert not card or str(at.round.cards[0].card) == card

    in_loop(scene)()


@pytest.mark.parametrize("cause", ["foreign_card", "wrong_deck", "unshuffled_cards", "shoe_ran_dry"])
def test_what_voids_a_round_gives_every_bet_back(tmp_path: Path, cause: str) -> None:
    async def scene() -> None:
        async with desk(tmp_path) as at:
            await at.play(*DEALT, "QS")
            page = await at.page("pit_supervisor", cause)
            assert "The round is void; 300.00 goes back." in text(page)
            await at.send("pit_supervisor", cause, "void_round", _cause=cause)
            assert (at.round.phase, at.table.shoe) == ("void", None)

    in_loop(scene)()


@in_loop
async def test_the_cut_card_ends_the_shoe_with_this_round(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play(*DEALT, "QS")
        await at.send("dealer", "cut_card", "show_cut_card")
        assert at.table.last_of_shoe


@in_loop
async def test_the_cut_card_first_lets_bets_be_withdrawn(tmp_path: Path) -> None:
    async with desk(tmp_path, high_limit=True) as at:
        await at.play(*DEALT)
        await at.send("dealer", "cut_card_first", "show_cut_card")
        assert at.round.withdrawal
        await at.send("dealer", "cut_card_first", "close_withdrawal")
        assert not at.round.withdrawal


@in_loop
async def test_a_withdrawal_not_offered_gives_options(tmp_path: Path) -> None:
    async with desk(tmp_path, high_limit=True) as at:
        await at.play(*DEALT, "QS")
        await at.send("dealer", "withdrawal_not_offered", "missed_withdrawal")
        assert at.round.options == {"p1": "", "p2": ""}


@in_loop
async def test_what_is_beyond_the_differential_is_refused(tmp_path: Path) -> None:
    limits = {"minimum": "10", "differential": "150"}
    async with desk(tmp_path, limits=limits, readings={"limits_mode": "advisory"}) as at:
        await at.play("open_bets", "bet")
        await at.send("pit_supervisor", "excess_differential", "refuse_excess")
        assert at.round.bets[2].stake == 150_00


@in_loop
async def test_who_walks_away_plays_on(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play(*DEALT)
        page = await at.send("dealer", "walked_away", "leave_seat", player="p2")
        assert "The table has taken it." in text(page)
        assert 2 in at.round.bets


@in_loop
async def test_insurance_that_was_not_offered_gives_the_bet_back(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play(*DEALT, *["QS", "3D", "6H", "AC", "5D"])
        typed = {"players": ["p1"], "hand": "player"}
        page = await at.send("pit_supervisor", "missed_insurance", "offer_missed_insurance", **typed)
        assert "it takes a Pit Manager or above" in text(page)
        await at.send("pit_manager", "missed_insurance", "offer_missed_insurance", **typed)
        assert [bet.player for bet in at.round.bets.values()] == ["p2"]


@in_loop
async def test_insurance_missed_before_the_third_card_is_offered_on_the_dealers_screen(
    tmp_path: Path,
) -> None:
    async with desk(tmp_path) as at:
        await at.play(*DEALT, "2S", "2D", "3H", "2C", "2H")
        dealer = await at.house.person("dealer")
        felt = f"/tables/{TABLE}/deal/felt"
        assert "Nobody has a bet to insure." in text((await dealer.get(felt)).text)
        typed = {"players": ["p1"], "hand": "player"}
        await at.send("pit_manager", "missed_insurance", "offer_missed_insurance", **typed)
        assert "1 p1 Player 4:1 25" in text((await dealer.get(felt)).text)


@in_loop
async def test_insurance_on_the_wrong_side_is_looked_for_in_the_round_at_hand(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play(*DEALT, *["QS", "3D", "6H", "AC"])
        dealer = await at.house.person("dealer")
        insured: dict[str, Any] = {"player": "p1", "box": 1, "hand": "player", "stake": "50"}
        assert (await dealer.ask(TABLE, "place_insurance", **insured)).is_success
        # The form knows which round is meant.
        form = form_for(await at.page("dealer", "misplaced_insurance"), "reposition_insurance", {})
        assert form["round"] == "1"


@in_loop
async def test_an_interruption_is_resolved_by_the_outcome(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play(*DEALT, "QS")
        await at.send("dealer", "technical_interruption", "interrupt", reason="the lights went out")
        assert at.round.interrupted
        page = await at.page("pit_supervisor", "technical_interruption")
        assert "The round is void; 300.00 goes back." in text(page)
        await at.send("pit_supervisor", "technical_interruption", "resolve_interruption")
        assert at.round.phase == "void"


@in_loop
async def test_a_reset_and_any_other_error_ask_the_players(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play(*DEALT, "QS")
        await at.send("dealer", "equipment_reset", "reset_equipment")
        assert at.round.options == {"p1": "", "p2": ""}
        dealer = await at.house.person("dealer")
        assert (await dealer.ask(TABLE, "close_options")).is_success
        await at.send("dealer", "dealing_error", "note_dealing_error", what="the burn card was forgotten")
        assert at.round.options == {"p1": "", "p2": ""}


@in_loop
async def test_what_is_only_written_down(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play(*DEALT, *["8S", "KD", "KH", "QC"], "settle", "open_bets")
        page = await at.send("dealer", "wrong_display", "note_wrong_display", what="it shows a nine")
        assert "The table has taken it." in text(page)
        form = form_for(await at.page("dealer", "late_noticed_error"), "note_late_error", {})
        assert form["round"] == "1"
        page = await at.send("dealer", "late_noticed_error", "note_late_error", what="a card was misread")
        assert "The table has taken it." in text(page)


@in_loop
async def test_what_two_people_decide_waits(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play(*DEALT, *["8S", "KD", "KH", "QC"], "settle")
        ruling = {"reason": "a bird flew in", "effect": "reopen_settlement"}
        page = await at.send("table_game_shift_manager", "unprovided_matter", "rule_on_matter", **ruling)
        assert "1 requests of this table wait for a second person." in text(page)
        page = await at.send(
            "pit_supervisor", "late_noticed_error", "reopen_settlement", reason="a misread card"
        )
        assert "2 requests of this table wait for a second person." in text(page)
        assert at.round.phase == "settled"


@in_loop
async def test_what_is_over_is_corrected_elsewhere(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play(*DEALT)
        for name in ("broke_table_of_play", "earlier_rounds", "late_noticed_error"):
            assert name in CORRECTED
            page = await at.page("pit_supervisor", name)
            assert f'href="/pit/{TABLE}/corrections"' in page
            assert "Nothing has to be entered" not in page


@in_loop
async def test_what_the_table_does_by_itself_is_said(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play(*DEALT)
        for name in NOTHING_TO_ENTER:
            assert "the table already acts as the rule says" in await at.page("dealer", name), name
