"""Breaks a running house while people play in it, and counts from the record what became of their bets.

    sudo /opt/lammer/bin/python deploy/trial.py [--seconds 12] [--tables 6]

`up.sh` has started the house. Players bet through nginx over TLS, each request under a key of its own,
repeated with that key until somebody answers. Meanwhile a process is killed with `kill -9`, nginx is told to
read its configuration again, PostgreSQL is restarted, crashes, and all three processes are killed at once. A
Pit Supervisor resolves what comes back interrupted. At the end the record is exported and every bet is looked
for in it. It ends with 1 if an acknowledged bet is missing, one counts twice, or money went out twice.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import pwd
import re
import ssl
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count, pairwise
from pathlib import Path
from typing import Any, Final

import httpx

LAMMER: Final = "/opt/lammer/bin/lammer"
SETTINGS: Final = Path("/etc/lammer")
PROCESSES: Final = ("one", "two", "three")
SEATS: Final = 4
SETUP: Final = {
    "rulebook": "tiger-buffalo-noncommission-insurance@3",
    "layout": "C",
    "limits": {"minimum": "1", "differential": "1000000"},
    "shoe": "virtual",
}
PACE: Final = {"betting": 3.0, "card": 0.1, "window": 0.2, "between": 0.5}
THINKING_SECONDS: Final = 0.02
"""Seconds a player takes from one answer to the next bet."""
RETRY_SECONDS: Final = 0.1
"""Seconds before an unanswered request is repeated."""
PATIENCE_SECONDS: Final = 60.0


def settings_of(name: str) -> dict[str, str]:
    """What an environment file of the house says."""
    lines = (SETTINGS / f"{name}.env").read_text("utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))


def at_the_machine(*words: str) -> str:
    """A command of lammer's, as the user the house runs as."""
    shared = settings_of("house")
    store = ["--data", settings_of("one")["LAMMER_DATA"], "--store", shared["LAMMER_STORE"]]
    account = pwd.getpwnam("lammer")
    ran = subprocess.run(
        [LAMMER, *words, *store],
        user=account.pw_uid,
        group=account.pw_gid,
        extra_groups=[],
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode:
        raise SystemExit(f"lammer {words[0]}: {ran.stdout}{ran.stderr}")
    return ran.stdout


@dataclass(slots=True)
class Told:
    """What a player was answered: which event of which table their stake became, and how long they waited."""

    player: str
    table: str
    number: int
    stake: int
    asked: float
    answered: float


@dataclass(slots=True)
class Watched:
    """A stream: the last event it was told, how many there were, and how many were left out."""

    last: int = 0
    events: int = 0
    gaps: int = 0
    opened: int = 0


@dataclass(slots=True)
class Trial:
    """Everybody at work, and what they were told."""

    address: str
    tables: list[str]
    over: asyncio.Event = field(default_factory=asyncio.Event)
    told: list[Told] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    unanswered: Counter[str] = field(default_factory=Counter)
    watched: list[Watched] = field(default_factory=list)
    resolved: int = 0

    async def come_in(self, link: str) -> httpx.AsyncClient:
        """Somebody with a browser of their own."""
        trusted = ssl.create_default_context(cafile=str(SETTINGS / "tls" / "house.pem"))
        client = httpx.AsyncClient(base_url=self.address, verify=trusted, trust_env=False, timeout=15)
        token = link.partition("token=")[2].strip()
        answer = await client.post("/api/session/link", json={"token": token})
        client.headers["x-csrf-token"] = answer.raise_for_status().json()["csrf"]
        return client

    async def ask(self, client: httpx.AsyncClient, path: str, fields: Any, key: str) -> httpx.Response:
        """Ask until somebody answers, always under the same key."""
        begun = time.time()
        while True:
            try:
                answer = await client.post(path, json=fields, headers={"idempotency-key": key})
            except httpx.HTTPError as error:
                self.unanswered[type(error).__name__] += 1
            else:
                if answer.status_code < 500:
                    return answer
                self.unanswered[str(answer.status_code)] += 1
            if time.time() - begun > PATIENCE_SECONDS:
                raise SystemExit(f"{path} was not answered for {PATIENCE_SECONDS:.0f} seconds")
            await asyncio.sleep(RETRY_SECONDS)

    async def must(self, client: httpx.AsyncClient, path: str, fields: Any, key: str) -> Any:
        answer = await self.ask(client, path, fields, key)
        if answer.is_error:
            raise SystemExit(f"{path}: {answer.text}")
        return answer.json()

    async def play(self, client: httpx.AsyncClient, player: str, table: str, box: int) -> None:
        """Bet after bet, each of another stake, so that each can be told from every other in the record."""
        path = f"/api/tables/{table}/commands"
        for number in count(1):
            if self.over.is_set():
                return
            stake = 100 + number
            fields = {"do": "place_bet", "box": box, "bet": "banker", "stake": f"{stake / 100:.2f}"}
            asked = time.time()
            answer = await self.ask(client, path, fields, f"{player}-{number}")
            answered = time.time()
            if answer.status_code == 200:
                event = answer.json()["events"][-1]
                self.told.append(Told(player, table, event["number"], stake, asked, answered))
                await asyncio.sleep(THINKING_SECONDS)
            else:
                self.refused[answer.json()["code"]] += 1
                await asyncio.sleep(0.2)

    async def watch(self, client: httpx.AsyncClient, table: str, watched: Watched) -> None:
        """A live stream, opened again where it left off whenever it ends."""
        while True:
            headers = {"last-event-id": str(watched.last)} if watched.last else {}
            with suppress(httpx.HTTPError):
                async with client.stream("GET", f"/api/tables/{table}/stream", headers=headers) as answer:
                    watched.opened += answer.status_code == 200
                    async for line in answer.aiter_lines():
                        if answer.status_code == 200 and line.startswith("id: "):
                            number = int(line[4:])
                            watched.gaps += bool(watched.last) and number != watched.last + 1
                            watched.last, watched.events = number, watched.events + 1
            await asyncio.sleep(RETRY_SECONDS)

    async def supervise(self, client: httpx.AsyncClient) -> None:
        """Look at the tables every half second, and resolve what was interrupted, as a person would."""
        for look in count():
            for table in self.tables:
                fields = {"do": "resolve_interruption"}
                with suppress(httpx.HTTPError):
                    seen = await client.get(f"/api/tables/{table}")
                    if seen.status_code == 200 and '"interrupted":true' in seen.text:
                        answer = await client.post(
                            f"/api/tables/{table}/commands",
                            json=fields,
                            headers={"idempotency-key": f"{table}-{look}"},
                        )
                        self.resolved += answer.status_code == 200
            await asyncio.sleep(0.5)

    async def close(self, client: httpx.AsyncClient, table: str) -> None:
        """Close a table once its round is over, so that the house deals for nobody afterwards."""
        begun = time.time()
        for number in count():
            fields = {"do": "close_table", "reason": "the trial is over"}
            answer = await self.ask(
                client, f"/api/tables/{table}/commands", fields, f"close-{table}-{number}"
            )
            if answer.status_code == 200:
                return
            if time.time() - begun > PATIENCE_SECONDS:
                raise SystemExit(f"{table} could not be closed: {answer.text}")
            await asyncio.sleep(0.1)


# --- what is done to the house ------------------------------------------------------------------------------


def has_systemd() -> bool:
    return Path("/run/systemd/system").is_dir()


def pid_of(process: str) -> int:
    """The lammer process itself, not what starts it again."""
    if has_systemd():
        shown = subprocess.run(
            ["systemctl", "show", "-p", "MainPID", "--value", f"lammer@{process}"],
            capture_output=True,
            text=True,
            check=True,
        )
        return int(shown.stdout)
    keeper = int(Path(f"/run/lammer-{process}.pid").read_text("utf-8"))
    return int(Path(f"/proc/{keeper}/task/{keeper}/children").read_text("utf-8").split()[0])


def kill(*processes: str) -> None:
    for process in processes:
        os.kill(pid_of(process), 9)


def reload_nginx() -> None:
    command = ["systemctl", "reload", "nginx"] if has_systemd() else ["nginx", "-s", "reload"]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)


def cluster() -> tuple[str, str]:
    listed = subprocess.run(["pg_lsclusters", "--no-header"], capture_output=True, text=True, check=True)
    version, name = next(line.split()[:2] for line in listed.stdout.splitlines() if " lammer " in line)
    return version, name


def restart_postgres() -> None:
    version, name = cluster()
    subprocess.run(["pg_ctlcluster", version, name, "restart", "-m", "fast"], check=True)


def crash_postgres() -> None:
    """As when its machine loses power: no checkpoint, and a start that has to recover."""
    version, name = cluster()
    subprocess.run(["pg_ctlcluster", version, name, "stop", "-m", "immediate"], check=True)
    subprocess.run(["pg_ctlcluster", version, name, "start"], check=True)


# --- what the record says -----------------------------------------------------------------------------------


def exported(table: str) -> list[dict[str, Any]]:
    lines = at_the_machine("export", "--table", table).splitlines()
    return [json.loads(line) for line in lines]


@dataclass(slots=True)
class Counted:
    """What the record of the tables comes to, held against what players were told."""

    told: int = 0
    recorded: int = 0
    lost: int = 0
    twice: int = 0
    unknown: int = 0
    rounds: int = 0
    void: int = 0
    paid_wrong: int = 0
    paid_back: int = 0

    @property
    def whole(self) -> bool:
        return not (self.lost or self.twice or self.unknown or self.paid_wrong)


def count_table(lines: list[dict[str, Any]], told: list[Told], counted: Counted) -> None:
    """Hold what the record has of a table against what its players were told.

    Every acknowledged stake is in it once, at its number; each bet was judged, or went back, once.
    """
    placed: dict[int, tuple[str, int]] = {}
    open_bets: dict[int, int] = defaultdict(int)
    for line in lines:
        entry = line["entry"]
        kind = entry["event"]
        if kind in {"BetPlaced", "BetIncreased"}:
            placed[line["number"]] = entry["player"], entry["stake"]
            open_bets[entry["key"]] += entry["stake"]
        elif kind in {"RoundSettled", "RoundVoided"}:
            settled = kind == "RoundSettled"
            gone: Counter[int] = Counter()
            for part in entry["lines"] if settled else entry["returned"]:
                gone[part["key"]] += part["stake"] if settled else part["amount"]
            # What is judged or goes back is what was staked: not less, not more, and of no other bet.
            counted.paid_wrong += dict(gone) != dict(open_bets)
            counted.paid_back += len(gone)
            counted.rounds += settled
            counted.void += not settled
            open_bets.clear()
    counted.told += len(told)
    counted.recorded += len(placed)
    counted.lost += sum(placed.get(one.number) != (one.player, one.stake) for one in told)
    counted.twice += sum(times - 1 for times in Counter(placed.values()).values())
    # Everybody asked until they were answered; so nothing is in the record that nobody was told of.
    counted.unknown += len(placed.keys() - {one.number for one in told})


def pauses(told: list[Told], players: int, since: float, until: float) -> tuple[int, float, float]:
    """Answers in that time, and of the players the middle one's and the slowest one's longest wait."""
    longest: dict[str, float] = defaultdict(float)
    answers = 0
    for one in told:
        if since <= one.answered and one.asked < until:
            answers += 1
            longest[one.player] = max(longest[one.player], one.answered - one.asked)
    waits = sorted([*longest.values(), *[until - since] * (players - len(longest))])
    return answers, waits[len(waits) // 2], waits[-1]


# --- the trial ----------------------------------------------------------------------------------------------


async def gathered(
    trial: Trial, stamp: str
) -> tuple[list[httpx.AsyncClient], httpx.AsyncClient, httpx.AsyncClient]:
    """Staff made at the machine, tables put up, and players with a seat each."""
    links = {}
    for role in ("administrator", "pit_manager", "pit_supervisor"):
        made = at_the_machine("accounts", "make", f"{stamp}-{role}", role)
        found = re.search(r"https?://\S+token=\S+", made)
        assert found is not None, made
        links[role] = found.group()
    administrator, manager, supervisor = [await trial.come_in(link) for link in links.values()]
    players = []
    for table in trial.tables:
        await trial.must(administrator, "/api/tables", {"table": table, "pace": PACE}, f"put-{table}")
        fields = {"do": "set_table", "setup": SETUP}
        await trial.must(manager, f"/api/tables/{table}/commands", fields, f"set-{table}")
        for box in range(1, SEATS + 1):
            name = f"{table}-p{box}"
            account = {"name": name, "title": "", "role": "player"}
            made = await trial.must(administrator, "/api/accounts", account, f"make-{name}")
            player = await trial.come_in(made["link"])
            seat = {"do": "take_seat", "box": box}
            await trial.must(player, f"/api/tables/{table}/commands", seat, f"seat-{name}")
            players.append(player)
    await administrator.aclose()
    return players, manager, supervisor


async def run(tables: int, seconds: float) -> bool:
    stamp = f"trial-{int(time.time()):x}"
    trial = Trial(settings_of("house")["LAMMER_PUBLIC"], [f"{stamp}-{n}" for n in range(1, tables + 1)])
    players, manager, supervisor = await gathered(trial, stamp)
    named = [(table, box) for table in trial.tables for box in range(1, SEATS + 1)]
    playing = [
        asyncio.ensure_future(trial.play(client, f"{table}-p{box}", table, box))
        for client, (table, box) in zip(players, named, strict=True)
    ]
    watching = [asyncio.ensure_future(trial.supervise(supervisor))]
    for client, (table, _) in zip(players, named, strict=True):
        watched = Watched()
        trial.watched.append(watched)
        watching.append(asyncio.ensure_future(trial.watch(client, table, watched)))
    done: list[tuple[str, Callable[[], Awaitable[None]]]] = [
        ("nothing", lambda: asyncio.sleep(0)),
        ("kill -9 of a process", lambda: asyncio.to_thread(kill, "one")),
        ("nginx reloads", lambda: asyncio.to_thread(reload_nginx)),
        ("PostgreSQL restarts", lambda: asyncio.to_thread(restart_postgres)),
        ("kill -9 of another", lambda: asyncio.to_thread(kill, "two")),
        ("PostgreSQL crashes", lambda: asyncio.to_thread(crash_postgres)),
        ("kill -9 of all three", lambda: asyncio.to_thread(kill, *PROCESSES)),
    ]
    times = []
    for what, do in done:
        times.append((what, time.time()))
        await do()
        await asyncio.sleep(seconds * (2 if what.startswith("kill") else 1))
    times.append(("", time.time()))
    trial.over.set()
    await asyncio.gather(*playing)
    for table in trial.tables:
        await trial.close(manager, table)
    for task in watching:
        task.cancel()
    await asyncio.gather(*watching, return_exceptions=True)
    for client in (*players, manager, supervisor):
        await client.aclose()
    return await asyncio.to_thread(report, trial, times, len(players))


def report(trial: Trial, times: list[tuple[str, float]], players: int) -> bool:
    print(f"{players} players at {len(trial.tables)} tables, betting as soon as they are answered, over TLS")
    for (what, since), (_, until) in pairwise(times):
        answers, middle, slowest = pauses(trial.told, players, since, until)
        print(
            f"  {what + ',':<22} {until - since:3.0f} s: {answers:5,} bets acknowledged; longest wait of a"
            f" player, middle {middle:4.1f} s, slowest {slowest:4.1f} s"
        )
    print(f"  answers that did not come or were 5xx, and were asked again: {dict(trial.unanswered)}")
    print(f"  refused: {dict(trial.refused)}; {trial.resolved} interruptions resolved by the pit")
    streams = trial.watched
    print(
        f"  {len(streams)} streams: {sum(one.events for one in streams):,} events, opened"
        f" {sum(one.opened for one in streams)} times, {sum(one.gaps for one in streams)} gaps"
    )
    counted = Counted()
    for table in trial.tables:
        count_table(exported(table), [one for one in trial.told if one.table == table], counted)
    print(
        f"  record: {counted.told:,} bets acknowledged, {counted.recorded:,} recorded, {counted.lost} lost,"
        f" {counted.twice} twice, {counted.unknown} nobody was told of"
    )
    print(
        f"  record: {counted.rounds} rounds settled, {counted.void} void, {counted.paid_back:,} bets judged"
        f" or given back once, {counted.paid_wrong} rounds where that is not what was staked"
    )
    keys = [f"--key={settings_of(each)['LAMMER_DATA']}/checkpoint-key.public.pem" for each in PROCESSES]
    words = [word for table in trial.tables for word in ("--table", table)]
    verified = at_the_machine("verify", *words, *keys).strip().splitlines()
    print("\n".join(f"  {line}" for line in verified))
    return counted.whole and not sum(one.gaps for one in streams)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--seconds", type=float, default=12.0, help="seconds after each thing done to the house"
    )
    parser.add_argument("--tables", type=int, default=6)
    given = parser.parse_args()
    sys.exit(0 if asyncio.run(run(given.tables, given.seconds)) else 1)


if __name__ == "__main__":
    main()
