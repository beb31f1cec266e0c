"""`lammer count` as a game mathematician types it."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.terminal import Terminal

GAME = "tiger-buffalo-commission-insurance@3"


def test_exposure_removal_and_systems_are_told(lammer: Terminal) -> None:
    ran = lammer("count", GAME, "--bet", "tiger", "--bet", "player_pair", "--shoes", "40")
    assert ran.code == 0
    for told in (
        "40 shoes",
        "worth betting %",
        "Exposure of Insurance",
        "Effects of removal",
        "Best count systems",
    ):
        assert told in ran.out
    assert "-3" in ran.out


def test_json_is_for_programs(lammer: Terminal) -> None:
    made = lammer("count", GAME, "--bet", "tiger", "--shoes", "30", "--seed", "5", "--json").json
    assert made["shoes"] == made["asked"] == 30
    line = made["bets"][0]
    assert line["bet"] == "tiger"
    assert line["profit_per_shoe"] == pytest.approx(line["profit_per_100"] * made["states"] / 100 / 30)
    assert made["systems"][0]["tags"][9:] == [made["systems"][0]["tags"][9]] * 4
    assert made["effects_of_removal"]["tiger"]["K"] == made["effects_of_removal"]["tiger"]["T"]
    assert {(each["bet"], each["window"]) for each in made["insurance"]} == {
        (hand, window) for hand in ("player", "banker") for window in ("four_cards", "third_card")
    }
    again = lammer(
        "count", GAME, "--bet", "tiger", "--shoes", "30", "--seed", "5", "--threads", "1", "--json"
    )
    assert again.json == made


def test_a_bet_no_count_follows_is_named(lammer: Terminal) -> None:
    told = lammer("count", GAME, "--bet", "player_pair", "--shoes", "8").out
    assert "no single card gone moves them: player_pair." in told
    assert "Best count systems" not in told
    assert "No count follows" not in lammer("count", GAME, "--bet", "tie", "--shoes", "8").out


def test_a_chart_is_written(lammer: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "exposure.svg"
    assert lammer("count", GAME, "--bet", "tie", "--shoes", "8", "--plot", str(file)).code == 0
    assert "<svg" in file.read_text("utf-8")


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--bet", "dragon"), "unknown_bet"),
        (("--shoes", "3"), "impossible_run"),
        (("--csv", "--json"), "options_disagree"),
        (("--cut", "2"), "impossible_run"),
        (("--decks", "0"), "impossible_shoe"),
        (("--device", "abacus"), "impossible_run"),
        (("--plot", "exposure.doc"), "unknown_format"),
        (("--cluster", "tcp://127.0.0.1:9"), "cluster_silent"),
    ],
)
def test_bad_input_is_a_sentence(lammer: Terminal, options: tuple[str, ...], code: str) -> None:
    ran = lammer("count", GAME, "--shoes", "8", *options)
    assert ran.code == 1
    assert f"Refused {code}: " in ran.err
