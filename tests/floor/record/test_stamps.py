"""Time stamps of an authority on checkpoints, made and checked by OpenSSL, which nobody here wrote."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from lammer.floor.record.contract import Store
from lammer.floor.record.log.evidence import collect, write
from lammer.floor.record.log.house_log import HouseLog
from lammer.floor.record.log.log_secrets import log_secrets
from lammer.floor.record.log.stamps import Stamps
from lammer.rulebook.refusal import Refused
from lammer.transparency.notes import LOG, PublicKey
from support.awaited import GUARD
from support.houses import put

KEY: Final = Ed25519PrivateKey.from_private_bytes(bytes(32))
NAME: Final = "example.com/house"
CHECKER: Final = Path(__file__).parents[3] / "src/lammer/floor/web/pages/static/verify_round.py"
AUTHORITY: Final = """
[ts]
signer_cert = ts.pem
signer_key = ts.key
serial = serial
default_policy = 1.2.3.4.1
digests = sha256
signer_digest = sha256
crypto_device = builtin
"""
PURPOSE: Final = "extendedKeyUsage=critical,timeStamping"


def openssl(folder: Path, *given: str) -> subprocess.CompletedProcess[str]:
    command = ["openssl", *given]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=GUARD, check=False)


class Authority:
    """An authority of our own, run by OpenSSL."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.asked = folder, 0
        folder.mkdir()
        (folder / "ts.cnf").write_text(AUTHORITY)
        (folder / "serial").write_text("01")
        made = openssl(
            folder, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "ts.key", "-out", "ts.pem",
            "-subj", "/CN=authority.example", "-addext", PURPOSE,
        )  # fmt: skip
        assert made.returncode == 0, made.stderr

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.asked += 1
        (self.folder / "asked.tsq").write_bytes(request.content)
        command = (
            "ts",
            "-reply",
            "-config",
            "ts.cnf",
            "-section",
            "ts",
            "-queryfile",
            "asked.tsq",
            "-out",
            "told.tsr",
        )
        told = openssl(self.folder, *command)
        assert told.returncode == 0, told.stderr
        return httpx.Response(200, content=(self.folder / "told.tsr").read_bytes())


def logged(store: Store, folder: Path, count: int) -> None:
    store.append(put(store, "t1", *(b'{"number":%d,"event":"X"}' % n for n in range(1, count + 1)))).result(
        GUARD
    )
    HouseLog(store, KEY, log_secrets(folder), name=NAME).extend()


def test_a_checkpoint_is_stamped_and_openssl_finds_it_good(store: Store, tmp_path: Path) -> None:
    authority = Authority(tmp_path / "authority")
    stamps = Stamps(store, "http://authority", 0.0, httpx.MockTransport(authority.answer))
    assert stamps.stamp() is None, "there is no log yet"
    logged(store, tmp_path, 5)
    head = stamps.stamp()
    assert head is not None
    assert stamps.stamp() is None
    assert authority.asked == 1, "a checkpoint is stamped once"
    logged(store, tmp_path, 3)
    # The last checkpoint has no stamp; the one before shows the round too, and when it was there.
    public = KEY.public_key().public_bytes_raw()
    file = tmp_path / "evidence.json"
    file.write_bytes(write(collect(store, log_secrets(tmp_path), "t1", 1, [1, 2], [public])))
    assert json.loads(file.read_text())["checkpoint"].split("\n")[1] == "5"
    key = PublicKey(NAME, LOG, public).text
    command = [sys.executable, "-I", str(CHECKER), "evidence.json", "--log", key, "--stamp", "stamp"]
    told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=GUARD, check=False)
    assert told.returncode == 0, told.stdout + told.stderr
    check = ("ts", "-verify", "-in", "stamp.tsr", "-data", "stamp.txt", "-CAfile", "authority/ts.pem")
    good = openssl(tmp_path, *check)
    assert (good.returncode, "Verification: OK" in good.stdout + good.stderr) == (0, True)
    text = tmp_path / "stamp.txt"
    text.write_text(text.read_text().replace("\n5\n", "\n6\n"))
    assert openssl(tmp_path, *check).returncode != 0
    # Of what only the later checkpoint holds there is no stamp, and it is not claimed.
    file.write_bytes(write(collect(store, log_secrets(tmp_path), "t1", 1, [8], [public])))
    told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=GUARD, check=False)
    assert (told.returncode, "BAD  there is no time stamp" in told.stdout) == (1, True)


def test_what_is_no_stamp_of_this_checkpoint_is_not_kept(store: Store, tmp_path: Path) -> None:
    authority = Authority(tmp_path / "authority")
    logged(store, tmp_path, 5)
    answers: list[bytes] = [b"", b"nothing"]

    def other(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, content=answers[-1])

    def keep(request: httpx.Request) -> httpx.Response:
        kept = authority.answer(request)
        answers.append(kept.content)
        return httpx.Response(200, content=b"nothing")

    for answering in (other, keep, other):  # At last an answer to an earlier request, replayed.
        with pytest.raises(Refused, match="no time stamp of the checkpoint"):
            Stamps(store, "http://authority", 0.0, httpx.MockTransport(answering)).stamp()
    with pytest.raises(httpx.HTTPStatusError):
        Stamps(store, "http://authority", 0.0, httpx.MockTransport(lambda _: httpx.Response(500))).stamp()
    with pytest.raises(Refused, match="begins with http"):
        Stamps(store, "authority", 0.0)
    assert Stamps(store, "http://authority", 0.0, httpx.MockTransport(authority.answer)).stamp() is not None
