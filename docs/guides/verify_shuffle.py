"""Was the shoe dealt the one the table was bound to, and made as it had to be? Standard library only.

python verify_shuffle.py journal.jsonl [COMMITMENT ...]

The file is a journal (`lammer play --journal`) or an export (`lammer export`), one event a line. Name the
commitments you saw before the first card: whoever rewrites a file can rewrite the commitment in it too.

Of a shared shuffle the order is worked out anew, from the house's entropy, what players added and the beacon.
That the beacon's signature is its chain's own takes a library for BLS12-381, or a look at the beacon itself:
the file names chain, round and signature.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256, shake_256
from typing import Any

DECK = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]


def mixed_order(prepared: dict[str, Any], entropy: str, ranks: set[str]) -> tuple[list[str], str]:
    """The order and the salt that a shared shuffle comes to. `ranks` are those the game is played with."""
    decks = prepared["decks"]
    fields = [b"lammer shuffle 1", b"%d" % prepared["shoe"], b"%d" % decks, bytes.fromhex(entropy)]
    for part in prepared["parts"]:
        fields += [b"part", b"%d" % part["box"], part["entropy"].encode()]
    if prepared["beacon"]:
        beacon = prepared["beacon"]
        fields += [b"beacon", bytes.fromhex(beacon["chain"]), b"%d" % beacon["round"]]
        fields += [bytes.fromhex(beacon["signature"])]
    hashed = b"".join(len(field).to_bytes(8, "big") + field for field in fields)
    stream = iter(shake_256(hashed).digest(52 * decks * 3 + 16))

    def below(n: int) -> int:
        while (number := next(stream) * 256 + next(stream)) >= 65536 // n * n:
            pass
        return number % n

    cards = [card for card in DECK if card[0] in ranks] * decks
    for last in range(len(cards) - 1, 0, -1):
        chosen = below(last + 1)
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return cards, bytes(next(stream) for _ in range(16)).hex()


def round_of(event: dict[str, Any] | None) -> tuple[str, int] | None:
    """The chain and the round of the beacon that an event names."""
    beacon = event and event["beacon"]
    return (beacon["chain"], beacon["round"]) if beacon else None


def faults(
    begun: dict[str, Any] | None, added: dict[str, Any], prepared: dict[str, Any], ended: dict[str, Any]
) -> list[str]:
    """What is wrong with how a shared shoe was made; nothing is asked of a shoe the house made alone."""
    if not prepared.get("house"):
        return ["NOT MADE OF THE SHUFFLE THAT WAS BEGUN"] if begun else []
    wrong = []
    entropy = ended.get("entropy", "")
    if begun is None or begun["commitment"] != prepared["house"]:
        wrong.append("NOT MADE OF THE SHUFFLE THAT WAS BEGUN")
    if sha256(bytes.fromhex(entropy)).hexdigest() != prepared["house"]:
        wrong.append("THE HOUSE'S ENTROPY IS NOT WHAT IT WAS BOUND TO")
    parts = [(each["box"], each["entropy"]) for each in prepared["parts"]]
    if parts != sorted(added.values(), key=lambda part: part[0]):
        wrong.append("NOT MADE OF WHAT WAS ADDED")
    if round_of(begun) != round_of(prepared):
        wrong.append("MADE WITH ANOTHER ROUND OF THE BEACON")
    ranks = {card[0] for card in ended["order"]}
    if mixed_order(prepared, entropy, ranks) != (ended["order"], ended["salt"]):
        wrong.append("THE ORDER IS NOT WHAT ITS PARTS COME TO")
    return wrong


def verify(lines: Iterable[str], seen: Iterable[str] = ()) -> list[tuple[bool, str]]:
    """A verdict on every virtual shoe that was revealed, and on every commitment asked about."""
    begun: dict[object, dict[str, Any]] = {}
    added: dict[object, dict[str, Any]] = {}
    bound: dict[object, dict[str, Any]] = {}
    made: dict[object, tuple[dict[str, Any] | None, dict[str, Any]]] = {}
    dealt: dict[object, list[str]] = {}
    found, missing = [], dict.fromkeys(seen)
    for line in lines:
        row = json.loads(line)
        event, table = row.get("entry", row), row.get("table", "")
        if event["event"] == "ShuffleBegun":
            begun[table], added[table] = event, {}
        elif event["event"] == "EntropyAdded":
            added[table][event["player"]] = event["box"], event["entropy"]
        elif event["event"] == "ShuffleAbandoned":
            begun.pop(table, None)
        elif event["event"] == "ShoePrepared":
            bound[table], dealt[table] = event, []
            made[table] = begun.pop(table, None), added.pop(table, {})
        elif event["event"] == "CardDealt" and not event["carried"]:
            dealt[table].append(event["card"])
        elif event["event"] == "ShoeEnded" and event["order"]:
            order, out, commitment = event["order"], dealt[table], bound[table]["commitment"]
            right = sha256(f"{event['salt']}:{' '.join(order)}".encode()).hexdigest() == commitment
            whole = len(set(Counter(order).values())) == 1 and len(set(order)) == 52
            these = order[: len(out)] == out
            told = f"shoe {event['shoe']} {commitment}: order {'matches' if right else 'DOES NOT MATCH'}, "
            told += f"{len(out)} cards dealt {'are its first' if these else 'ARE NOT ITS FIRST'}"
            wrong = faults(*made[table], bound[table], event)
            if bound[table].get("house") and not wrong:
                told += f", made of the house's entropy and {len(bound[table]['parts'])} added"
                told += " and a beacon" if bound[table]["beacon"] else ""
            told += "".join(f", {fault}" for fault in wrong) + ("" if whole else ", DECKS NOT WHOLE")
            found.append((right and whole and these and not wrong, told))
            missing.pop(commitment, None)
    return found + [(False, f"commitment {other} is not in the file, or not revealed") for other in missing]


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as journal:
        verdicts = verify(journal, sys.argv[2:])
    sys.stdout.writelines(f"{'ok  ' if good else 'BAD '} {told}\n" for good, told in verdicts)
    sys.exit(0 if verdicts and all(good for good, _ in verdicts) else 1)
