"""Pairs counted exactly and by rank, for the counts of the lab to be compared with."""

from __future__ import annotations

from collections.abc import Sequence


def pair_tiers(ranks: Sequence[int]) -> dict[tuple[int, int], int]:
    """Ordered six-card draws by the ranks the two hands are paired in, as indices; -1 for a hand not paired.

    >>> sum(pair_tiers([32] * 13).values())
    4998398275503360
    """
    n = sum(ranks)
    rest = (n - 4) * (n - 5)
    pair = [count * (count - 1) for count in ranks]
    tiers: dict[tuple[int, int], int] = {}
    for i, count in enumerate(ranks):
        same = pair[i] * (count - 2) * (count - 3)
        alone = pair[i] * (n - 2) * (n - 3) - same
        for j, other in enumerate(pair):
            if i != j and pair[i] and other:
                tiers[i, j] = pair[i] * other * rest
                alone -= pair[i] * other
        if same:
            tiers[i, i] = same * rest
        if alone:
            tiers[i, -1] = tiers[-1, i] = alone * rest
    tiers[-1, -1] = n * (n - 1) * (n - 2) * (n - 3) * rest - sum(tiers.values())
    return tiers
