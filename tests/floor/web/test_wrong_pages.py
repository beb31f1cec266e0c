"""Every irregularity of the documents, from its page to what the table does: the forms sent as they stand.

A scene is dealt over the API, somebody who may decide opens the page of what happened, fills its form in and
sends it. What follows is read from the table.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import pytest

from lammer.floor.web.pages.irregularities.something_wrong import CORRECTED
from lammer.floor.web.pages.irregularities.what_happened import ASKS, EVERYDAY, PLAIN
from lammer.wording.catalogues import say
from support.open_house import in_loop
from support.working_pages import TABLE, desk, form_for, text

DEALT: Final = ("open_bets", "bet", "close_bets")
"""Bets of two players, closed: p1 has 100 on Player, p2 200 on Banker."""
BOTH_BACK: Final = "Returned: p1 100.00 of Player, box 1; p2 200.00 of Banker, box 2. 300.00 in all."
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
async def test_a_card_recorded_wrongly_is_put_right(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play(*DEALT, "QS", "3D")
        page = await at.page("dealer", "card_recorded_wrongly")
        assert "A slip of the last card" in text(page)
        last = {"hand": "banker", "place": "1", "card": "8d"}
        await at.send("dealer", "card_recorded_wrongly", "correct_card", **last)
        assert [str(card.card) for card in at.round.cards] == ["QS", "8D"]
        first = {"hand": "player", "place": "1", "card": "9s", "reason": "the scanner read a queen"}
        page = await at.send("dealer", "card_recorded_wrongly", "correct_card", **first)
        assert "it takes a Pit Supervisor or above" in text(page)
        page = await at.send("pit_supervisor", "card_recorded_wrongly", "correct_card", **first)
        assert "The table has taken it." in text(page)
        assert [str(card.card) for card in at.round.cards] == ["9S", "8D"]


@in_loop
async def test_a_card_of_a_settled_round_waits_for_a_second_person(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play(*DEALT, *["8S", "KD", "KH", "QC"], "settle")
        typed = {"hand": "banker", "place": "1", "card": "9d", "reason": "typed as a king"}
        page = await at.send("pit_supervisor", "card_recorded_wrongly", "correct_card", **typed)
        assert "1 request of this table waits for a second person." in text(page)
        manager = await at.house.person("pit_manager")
        pit = text((await manager.get(f"/pit/{TABLE}")).text)
        assert "Put a card right that was recorded wrongly" in pit
        assert "Bet by bet" in pit, "the second person sees what it changes"
        await at.play("open_bets")
        page = await at.send("pit_supervisor", "card_recorded_wrongly", "correct_card", round="1", **typed)
        assert "2 requests of this table wait for a second person." in text(page)


@in_loop
async def test_the_dealers_screen_puts_the_last_card_right(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play(*DEALT, "QS", "3D")
        dealer = await at.house.person("dealer")
        page = (await dealer.get(f"/tables/{TABLE}/deal")).text
        assert "Last card: 3♦ Banker 1" in text(page)
        # What the form says of the card's place stands in the part that changes.
        inside = dict(re.findall(r'form="slip-form" name="(\w+)" value="(\w+)"', page))
        form = form_for(page, "correct_card", {}) | inside | {"card": "8♦"}
        dealer.http.headers["accept"] = "text/html"
        answer = await dealer.http.post(f"/tables/{TABLE}/deal", data=form, follow_redirects=True)
        assert "Last card: 8♦ Banker 1" in text(answer.text)


@in_loop
async def test_a_card_seen_that_belongs_to_no_hand_comes_next(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play("open_bets", "bet")
        await at.send("dealer", "excess_cards", "expose_card", card="9h")
        assert (at.round.phase, list(at.table.carried)) == ("dealing", ["9H"])
        assert at.round.options == {"p1": "", "p2": ""}


@in_loop
async def test_cards_scanned_with_the_wrong_hand_are_noted_there(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play(*DEALT, "QS", "3D", "6H")
        await at.send("dealer", "swapped_hands", "note_swapped_cards", player="2", banker="1")
        assert [card.hand for card in at.round.cards] == ["player", "player", "banker"]
        assert at.round.misplaced
        await at.send("dealer", "swapped_hands", "reconstruct", _irregularity="swapped_hands")
        assert [card.hand for card in at.round.cards] == ["player", "banker", "player"]


@in_loop
async def test_what_was_recorded_is_the_shoes_own_where_it_is_virtual(tmp_path: Path) -> None:
    async with desk(tmp_path, shoe="virtual") as at:
        for name in ("card_recorded_wrongly", "swapped_hands", "excess_cards"):
            page = await at.page("dealer", name)
            for do in ("correct_card", "note_swapped_cards", "expose_card"):
                assert f'value="{do}"' not in page


@in_loop
async def test_an_earlier_round_is_put_right_from_its_page(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play(*DEALT, *["QS", "3D", "6H", "AC", "5D"], "settle", "open_bets")
        manager = await at.house.person("pit_manager")
        one = (await manager.get(f"/pit/{TABLE}/corrections/1")).text
        for name in ("card_recorded_wrongly", "missed_insurance", "unprovided_matter"):
            assert f"/tables/{TABLE}/deal/wrong/{name}?round=1" in one
        recorded = await manager.get(f"/tables/{TABLE}/deal/wrong/card_recorded_wrongly?round=1")
        assert "Round 1 · Player Q ♠ 6 ♥" in text(recorded.text).replace("♠", " ♠").replace(
            "♥", " ♥"
        ).replace("  ", " "), "the round that is put right, not the one on the table"
        tried = await manager.get(f"/pit/{TABLE}/corrections/1?player=QS+6H&banker=3D+AC+4D")
        assert "perhaps one was recorded wrongly" in text(tried.text)
        form = form_for(
            (await manager.get(f"/tables/{TABLE}/deal/wrong/missed_insurance?round=1")).text,
            "offer_missed_insurance",
            {},
        )
        assert form["round"] == "1"
        typed = {"round": "1", "players": ["p1"], "hand": "player"}
        page = await at.send("pit_manager", "missed_insurance", "offer_missed_insurance", **typed)
        assert "1 request of this table waits for a second person." in text(page)
        ruling = {
            "round": "1",
            "reason": "a bird",
            "effect": "resettle_round",
            "player": "QS 6H",
            "banker": "3D 4C",
        }
        page = await at.send("table_game_shift_manager", "unprovided_matter", "rule_on_matter", **ruling)
        assert "2 requests of this table wait for a second person." in text(page)


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("misplaced", "misplaced_bet"),
        ("typed", "card_recorded_wrongly"), ("misread", "card_recorded_wrongly"),
        ("pay", "late_noticed_error"), ("paid", "earlier_rounds"), ("overpaid", "late_noticed_error"),
        ("drop", "excess_cards"), ("dropped", "damaged_cards"), ("flipped", "face_up_cards"),
        ("exposed", "excess_cards"), ("多赔", "late_noticed_error"), ("打错", "card_recorded_wrongly"),
        ("掉落", "damaged_cards"), ("翻开", "face_up_cards"),
    ],
)  # fmt: skip
def test_an_everyday_word_finds_it(word: str, name: str) -> None:
    assert any(word in f"{say(it, PLAIN[name])} {say(it, EVERYDAY[name])}" for it in ("en", "zh"))


def test_everything_has_everyday_words_in_both_languages() -> None:
    assert EVERYDAY.keys() == PLAIN.keys()
    assert not [name for name, words in EVERYDAY.items() if say("zh", words) == words]


@in_loop
async def test_whoever_said_they_will_insure_is_waited_for(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play(*DEALT, *["QS", "3D", "6H", "AC"])
        dealer = await at.house.person("dealer")
        page = (await dealer.get(f"/tables/{TABLE}/deal")).text
        assert 'value="announce_insurance"' in page
        given: dict[str, Any] = {"player": "p1", "box": 1, "hand": "player"}
        assert (await dealer.ask(TABLE, "announce_insurance", **given)).is_success
        page = text((await dealer.get(f"/tables/{TABLE}/deal")).text)
        assert "p1 will insure Player, box 1: the next card waits." in page
        assert "p1 said in time that they will insure." in page
        assert "p1 does not insure Player" in page
        assert (await dealer.ask(TABLE, "decline_insurance", **given)).is_success
        await at.play("5D")


@in_loop
async def test_a_split_or_named_table_is_told_everywhere(tmp_path: Path) -> None:
    """Names on the boxes, and what everybody has to know, on every page of the table."""
    names = ["9", "8", "7", "6", "5", "3"]
    setup = {"box_names": names, "test": True, "private": True}
    async with desk(tmp_path, **setup, insurance=False, insurance_declined_by="p1") as at:
        await at.play("open_bets", "bet")
        dealer = await at.house.person("dealer")
        for path in (f"/tables/{TABLE}/deal", f"/tables/{TABLE}", f"/board/{TABLE}"):
            page = text((await dealer.get(path)).text)
            assert "No Insurance is offered at this table" in page, path
            assert "This is a test table." in page, path
        felt = (await dealer.get(f"/tables/{TABLE}/deal/felt")).text
        assert 'aria-label="Box 9: p1"' in felt
        assert "Box 8, Banker: p2 200" in felt
        # The dealer types what stands on the box.
        form = form_for((await dealer.get(f"/tables/{TABLE}/deal")).text, "close_bets", {})
        given = {"csrf": form["csrf"], "next": f"/tables/{TABLE}/deal", "do": "place_bet", "player": "p1"}
        dealer.http.headers["accept"] = "application/json"
        typed = given | {"box": "9", "bet": "tie", "stake": "50"}
        assert (await dealer.http.post(f"/tables/{TABLE}/deal", data=typed)).is_success
        assert [(bet.box, bet.bet) for bet in at.round.bets.values()][-1] == (1, "tie")
        refused = await dealer.http.post(f"/tables/{TABLE}/deal", data=typed | {"box": "4"})
        assert refused.json()["code"] == "no_such_box"


@in_loop
async def test_a_rulebook_not_in_force_is_set_up_by_whoever_may_with_a_reason(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        path = f"/pit/{TABLE}/set-up"
        manager, shift = [await at.house.person(role) for role in ("pit_manager", "table_game_shift_manager")]
        assert 'name="reason"' not in (await manager.get(path)).text
        assert 'name="reason"' in (await shift.get(path)).text
        dealer = await at.house.person("dealer")
        for number in (1, 2):
            assert (await dealer.ask(TABLE, "leave_seat", player=f"p{number}")).is_success
        for person, reason, status in (
            (manager, "", 422),
            (manager, "we like it", 403),
            (shift, "not printed", 200),
        ):
            page = (await person.get(path)).text
            form = dict(re.findall(r'<input[^>]*name="(\w+)" value="([^"]*)"', page))
            form |= {
                "csrf": re.findall(r'name="csrf" value="([^"]+)"', page)[0],
                "insurance": "yes",
                "shoe": "read",
            }
            form |= {"rulebook": "tiger-buffalo-noncommission-insurance@1", "layout": "A", "reason": reason}
            person.http.headers["accept"] = "text/html"
            answer = await person.http.post(path, data=form, follow_redirects=True)
            assert answer.status_code == status, text(answer.text)
            if status == 200:
                # The page says what would change, and asks once more.
                assert "Change the set-up of T1?" in text(answer.text)
                assert at.table.out_of_force == ""
                answer = await person.http.post(path, data=form | {"confirmed": "yes"}, follow_redirects=True)
                assert answer.status_code == 200, text(answer.text)
            del person.http.headers["accept"]
        assert (at.table.require_setup().rulebook[-2:], at.table.out_of_force) == ("@1", "not printed")
        page = text((await dealer.get(f"/tables/{TABLE}/deal")).text)
        assert "tiger-buffalo-noncommission-insurance@1 is not in force (title page): not printed." in page


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


@in_loop
async def test_a_shoe_ran_dry_only_where_its_cards_do_not_suffice(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.play(*DEALT, "QS")
        page = await at.send("pit_supervisor", "shoe_ran_dry", "void_round", _cause="shoe_ran_dry")
        assert "The round can be completed: the shoe has 415 cards left." in text(page)
        assert at.table.shoe is not None
        at.table.shoe.dealt = 52 * 8 - 2  # three are still needed
        page = await at.page("pit_supervisor", "shoe_ran_dry")
        assert f"Round 1 is void: Too few cards to finish the round. {BOTH_BACK}" in text(page)


@pytest.mark.parametrize("cause", ["foreign_card", "wrong_deck", "unshuffled_cards"])
def test_what_voids_a_round_gives_every_bet_back(tmp_path: Path, cause: str) -> None:
    async def scene() -> None:
        async with desk(tmp_path) as at:
            await at.play(*DEALT, "QS")
            page = await at.page("pit_supervisor", cause)
            assert f"Round 1 is void: {at.table.book.irregularities[cause].title}. {BOTH_BACK}" in text(page)
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
        void = "Round 1 is void: A technical interruption. No outcome is established."
        assert f"{void} {BOTH_BACK}" in text(page)
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
        assert at.round.reported == ("the burn card was forgotten", False)
        await at.send("pit_supervisor", "dealing_error", "confirm_error", _confirmed="yes")
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
        assert "1 request of this table waits for a second person." in text(page)
        asked = re.search(r'<p class="done".*?</p>', page, re.DOTALL)
        assert asked is not None
        assert "Asked. Nothing changes until a second person agrees." in text(asked[0])
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
