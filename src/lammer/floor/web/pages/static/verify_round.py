"""Is this round in the house's log, as it was played? Standard library only, offline; read it before you
trust it.

python verify_round.py evidence.json --log KEY [--witness KEY ... [--quorum N]] [--stamp NAME]

The keys are those you trust: the house's, and those of witnesses you know. Have them from somewhere else than
the file: whoever forges a file can write other keys into it.

Some files hold a time stamp of an authority. --stamp writes it, and what it is of, to two files; then:
openssl ts -verify -in NAME.tsr -data NAME.txt -CAfile AUTHORITY.pem
"""

import argparse
import json
import sys
from base64 import b64decode
from collections import Counter
from hashlib import sha256, sha512
from typing import Any

# Ed25519 (RFC 8032), checking only, in the plainest way.
P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
Point = tuple[int, int, int, int]


def point(encoded: bytes) -> Point | None:
    """The point that 32 bytes name; None where they name none."""
    y = int.from_bytes(encoded, "little")
    sign, y = y >> 255, y & (1 << 255) - 1
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if y >= P or (x * x - square) % P or (x == 0 and sign):
        return None
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P


def plus(one: Point, other: Point) -> Point:
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c, d = 2 * one[3] * other[3] * D % P, 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(factor: int, base: Point) -> Point:
    total: Point = (0, 1, 1, 0)
    while factor:
        total = plus(total, base) if factor & 1 else total
        base, factor = plus(base, base), factor >> 1
    return total


BASE = point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def signed_by(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether this signature is of that key over the message."""
    one, other = point(signature[:32]), point(key)
    s = int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or len(key) != 32 or one is None or other is None or BASE is None or s >= ORDER:
        return False
    challenge = int.from_bytes(sha512(signature[:32] + key + message).digest(), "little") % ORDER
    left, right = times(s, BASE), plus(one, times(challenge, other))
    return all((left[axis] * right[2] - right[axis] * left[2]) % P == 0 for axis in (0, 1))


def checks(note: str, key: str) -> bool:
    """Whether a line beneath the note is of this key; a witness signs the time too."""
    name, _, material = key.split("+", 2)
    kind, public = b64decode(material)[0], b64decode(material)[1:]
    key_id = sha256(name.encode() + b"\n" + bytes([kind]) + public).digest()[:4]
    text, _, lines = note.rpartition("\n\n")
    for line in lines.splitlines():
        dash, who, written = line.split(" ", 2)
        signature = b64decode(written)
        if (dash, who, signature[:4]) != ("\u2014", name, key_id):
            continue
        signature, message = signature[4:], f"{text}\n"
        if kind == 4:
            message = f"cosignature/v1\ntime {int.from_bytes(signature[:8], 'big')}\n{message}"
            signature = signature[8:]
        if signed_by(public, message.encode(), signature):
            return True
    return False


def entry(table: str, event: dict[str, Any]) -> bytes:
    """What the log has of an event: a commitment that only its key opens, hashed as a leaf."""
    name, body = table.encode(), event["body"].encode()
    sizes = (
        len(name).to_bytes(4, "big")
        + name
        + event["number"].to_bytes(8, "big")
        + len(body).to_bytes(8, "big")
    )
    committed = sha256(b"lammer/log/entry/1\0" + bytes.fromhex(event["key"]) + sizes + body).digest()
    return sha256(b"\0" + committed).digest()


def root(leaves: dict[int, bytes], size: int, hashes: list[bytes]) -> bytes:
    """The root of the tree (RFC 6962) that has these leaves, with the hashes of all that is beside them."""

    def walk(low: int, high: int) -> bytes:
        if not any(low <= index < high for index in leaves):
            return hashes.pop(0)
        if high - low == 1:
            return leaves[low]
        middle = low + (1 << (high - low - 1).bit_length() - 1)
        return sha256(b"\1" + walk(low, middle) + walk(middle, high)).digest()

    return walk(0, size)


def verify(file: dict[str, Any], log: str, witnesses: list[str], quorum: int) -> list[tuple[bool, str]]:
    """A verdict on everything that can be checked."""
    found = []
    note, events = file["checkpoint"], file["events"]
    origin, size, stated = note.split("\n")[:3]
    leaves = {event["index"]: entry(file["table"], event) for event in events}
    hashes = [b64decode(step) for step in file["hashes"]]
    known = len(leaves) == len(events) > 0 and all(0 <= index < int(size) for index in leaves)
    is_in = known and root(leaves, int(size), hashes) == b64decode(stated) and not hashes
    found.append((is_in, f"{len(events)} events are in the log {origin} of {size} entries"))
    found.append((log.split("+", maxsplit=1)[0] == origin and checks(note, log), "the house signed that log"))
    seen = sum(checks(note, key) for key in dict.fromkeys(witnesses))
    if witnesses:
        found.append((seen >= quorum, f"{seen} of {len(witnesses)} witnesses saw it, {quorum} have to"))
    told = [json.loads(event["body"]) for event in events]
    numbered = [event["number"] for event in events] == sorted({event["number"] for event in told})
    found.append((numbered, "each event says its own number"))
    bound = next((event for event in told if event["event"] == "ShoePrepared"), None)
    ended = next((event for event in told if event["event"] == "ShoeEnded"), None)
    if bound and ended and ended["order"]:
        order = ended["order"]
        right = sha256(f"{ended['salt']}:{' '.join(order)}".encode()).hexdigest() == bound["commitment"]
        whole = len(set(Counter(order).values())) == 1
        found.append((right and whole, "the shoe that was revealed is the one it was bound to before"))
        if any(event["event"] in {"CardsReconstructed", "CardsFound"} for event in told):
            return found  # Where cards were put right, they did not simply come one after the other.
        dealt = [event["card"] for event in told if event["event"] == "CardDealt" and not event["carried"]]
        places = range(len(order) - len(dealt) + 1)
        found.append(
            (any(order[at : at + len(dealt)] == dealt for at in places), "the cards came in its order")
        )
    return found


def write_stamp(file: dict[str, Any], name: str) -> tuple[bool, str]:
    """Write the time stamp and what it is of; whether there is one, and how it is checked."""
    stamp = b64decode(file.get("stamp", ""))
    if not stamp:
        return False, "there is no time stamp in the file"
    with open(f"{name}.tsr", "wb") as out:
        out.write(stamp)
    with open(f"{name}.txt", "wb") as out:
        out.write(file["checkpoint"].rpartition("\n\n")[0].encode() + b"\n")
    return True, f"a time stamp was written: openssl ts -verify -in {name}.tsr -data {name}.txt -CAfile ..."


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file")
    parser.add_argument("--log", required=True, metavar="KEY")
    parser.add_argument("--witness", action="append", default=[], metavar="KEY")
    parser.add_argument("--quorum", type=int, default=1)
    parser.add_argument("--stamp", metavar="NAME")
    asked = parser.parse_args()
    try:
        with open(asked.file, encoding="utf-8") as file:
            read = json.load(file)
        verdicts = verify(read, asked.log, asked.witness, asked.quorum)
        if asked.stamp:
            verdicts.append(write_stamp(read, asked.stamp))
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        verdicts = [(False, f"this is no evidence of a round: {error!r}")]
    sys.stdout.writelines(f"{'ok  ' if good else 'BAD '} {told}\n" for good, told in verdicts)
    return 0 if all(good for good, _ in verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
