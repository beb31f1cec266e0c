"""Was the shoe dealt the one the table was bound to? Standard library only; read it before you trust it.

python verify_shuffle.py journal.jsonl [COMMITMENT ...]

The file is a journal (`lammer play --journal`) or an export (`lammer export`), one event a line. Name the
commitments you saw before the first card: whoever rewrites a file can rewrite the commitment in it too.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256


def verify(lines: Iterable[str], seen: Iterable[str] = ()) -> list[tuple[bool, str]]:
    """A verdict on every virtual shoe that was revealed, and on every commitment asked about."""
    bound: dict[object, str] = {}
    dealt: dict[object, list[str]] = {}
    found, missing = [], dict.fromkeys(seen)
    for line in lines:
        row = json.loads(line)
        event, table = row.get("entry", row), row.get("table", "")
        if event["event"] == "ShoePrepared":
            bound[table], dealt[table] = event["commitment"], []
        elif event["event"] == "CardDealt" and not event["carried"]:
            dealt[table].append(event["card"])
        elif event["event"] == "ShoeEnded" and event["order"]:
            order, out = event["order"], dealt[table]
            right = sha256(f"{event['salt']}:{' '.join(order)}".encode()).hexdigest() == bound[table]
            whole = len(set(Counter(order).values())) == 1 and len(set(order)) == 52
            these = order[: len(out)] == out
            told = f"shoe {event['shoe']} {bound[table]}: order {'matches' if right else 'DOES NOT MATCH'}, "
            told += f"{len(out)} cards dealt {'are its first' if these else 'ARE NOT ITS FIRST'}"
            found.append((right and whole and these, told + ("" if whole else ", DECKS NOT WHOLE")))
            missing.pop(bound[table], None)
    return found + [(False, f"commitment {other} is not in the file, or not revealed") for other in missing]


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as journal:
        verdicts = verify(journal, sys.argv[2:])
    sys.stdout.writelines(f"{'ok  ' if good else 'BAD '} {told}\n" for good, told in verdicts)
    sys.exit(0 if verdicts and all(good for good, _ in verdicts) else 1)
