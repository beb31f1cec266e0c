"""What `deploy/` starts a house with is what the house knows, and its trial sees what it should."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

import pytest

from lammer.floor.settings import Settings
from lammer.floor.web.context import COOKIE
from trial import Counted, Told, count_table, pauses
from without_systemd import read_unit

DEPLOY = Path(__file__).parents[2] / "deploy"
RECORD: list[dict[str, Any]] = [
    {"number": 4, "entry": {"event": "BetPlaced", "key": 1, "player": "mei", "stake": 101}},
    {"number": 5, "entry": {"event": "BetIncreased", "key": 1, "player": "mei", "stake": 102}},
    {"number": 6, "entry": {"event": "RoundSettled", "lines": [{"key": 1, "stake": 203}]}},
    {"number": 8, "entry": {"event": "BetPlaced", "key": 1, "player": "mei", "stake": 103}},
    {"number": 9, "entry": {"event": "RoundVoided", "returned": [{"key": 1, "amount": 103}]}},
]
TOLD = [
    Told("mei", "t1", number, stake, asked, asked + 0.5)
    for number, stake, asked in ((4, 101, 1.0), (5, 102, 2.0), (8, 103, 9.0))
]


def counted(record: list[dict[str, Any]]) -> Counted:
    made = Counted()
    count_table(record, TOLD, made)
    return made


def test_a_whole_record_is_whole() -> None:
    made = counted(RECORD)
    assert made.whole
    assert (made.told, made.recorded, made.rounds, made.void, made.paid_back) == (3, 3, 1, 1, 2)


def test_a_bet_that_is_not_in_the_record_is_lost() -> None:
    assert counted([line for line in RECORD if line["number"] != 5]).lost == 1


def test_a_bet_that_counts_again_is_twice() -> None:
    again = copy.deepcopy(RECORD[3]) | {"number": 10}
    made = counted([*RECORD, again])
    assert (made.twice, made.unknown, made.whole) == (1, 1, False)


@pytest.mark.parametrize("stake", [102, 406])
def test_money_that_goes_out_wrong_is_found(stake: int) -> None:
    record = copy.deepcopy(RECORD)
    record[2]["entry"]["lines"][0]["stake"] = stake
    assert counted(record).paid_wrong == 1


def test_a_round_settled_twice_is_found() -> None:
    assert counted([*RECORD, RECORD[2]]).paid_wrong == 1


def test_a_player_nobody_answered_waited_all_the_time() -> None:
    assert pauses(TOLD, 2, 0.0, 10.0) == (3, 10.0, 10.0)
    assert pauses(TOLD, 1, 0.0, 5.0) == (2, 0.5, 0.5)


def test_the_files_set_what_the_house_knows() -> None:
    names = {
        line.partition("=")[0]: line.partition("=")[2]
        for file in DEPLOY.glob("*.env")
        for line in file.read_text("utf-8").splitlines()
        if line and not line.startswith("#")
    }
    assert not Settings.unknown(names)
    assert {"LAMMER_STORE", "LAMMER_PEER", "LAMMER_PUBLIC", "LAMMER_PROXIES"} <= names.keys()


def test_the_unit_starts_a_process_from_its_own_files() -> None:
    unit = read_unit(DEPLOY / "lammer@.service", "two")
    assert unit["EnvironmentFile"] == ["/etc/lammer/house.env", "/etc/lammer/two.env"]
    assert unit["ExecStart"] == ["/opt/lammer/bin/lammer serve"]


def test_nginx_stands_before_the_processes_that_are_started() -> None:
    nginx, script = ((DEPLOY / name).read_text("utf-8") for name in ("nginx.conf", "up.sh"))
    first = re.search(r"process_port=(\d+)", script)
    names = re.search(r"PROCESSES=\(([\w ]+)\)", script)
    assert first is not None
    assert names is not None
    ports = [str(int(first[1]) + number) for number in range(len(names[1].split()))]
    assert re.findall(r"server 127\.0\.0\.1:(\d+)", nginx) == ports
    assert f"$cookie_{COOKIE} " in nginx
    keepalive = re.search(r"keepalive_timeout (\d+)s", nginx)
    assert keepalive is not None
    assert int(keepalive[1]) < Settings().idle_connection_seconds
