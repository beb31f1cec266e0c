"""`valuing` on an NVIDIA GPU: a block of threads a shoe, a thread to each of the 66 tables of first cards.

Whole numbers as on the processor, halves and division in the same order, so the worths are the same to the
last bit.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from lammer.lab.counting.detailed_valuing import detailed_worths
from lammer.lab.counting.valuing import Pays, Shoes, Worths
from lammer.lab.simulation.cuda import load_cupy
from lammer.lab.simulation.kernels import PAIRS, TABLES

THREADS = 96

SOURCE = r"""
typedef unsigned long long u64;
typedef long long i64;

extern "C" __global__ void value_shoes(
    const short* shoes, int bets, int ends, const unsigned char* points, const int* starts, const int* firsts,
    const int* places, const i64* weights, const i64* denominators, double* values)
{
    extern __shared__ u64 ways[];
    __shared__ int counts[10], left[TABLES][20], all[TABLES][10];
    const short* shoe = shoes + (i64)blockIdx.x * 13;
    int t = threadIdx.x, columns = ends + PAIRS;
    for (int i = t; i < columns; i += blockDim.x) ways[i] = 0;
    if (t < 10) {
        int sum = 0;
        for (int rank = 0; rank < 13; ++rank) sum += points[rank] == t ? shoe[rank] : 0;
        counts[t] = sum;
    }
    __syncthreads();
    i64 n = 0;
    for (int i = 0; i < 10; ++i) n += counts[i];

    if (t < TABLES) {
        // Table t: no further card, or x alone, or x and y with y at least x.
        int x = -1, y = -1, table = 0;
        for (int i = -1; i < 10; ++i)
            for (int j = -1; j < 10; ++j) {
                if ((i < 0 && j >= 0) || (j >= 0 && j < i)) continue;
                if (table++ == t) { x = i; y = j; }
            }
        i64 factor = x < 0 ? (n - 4) * (n - 5)
                   : y < 0 ? counts[x] * (n - 5)
                   : (i64)counts[x] * (counts[y] - (x == y));
        for (int i = 0; i < 20; ++i) left[t][i] = counts[i % 10] - (i % 10 == x) - (i % 10 == y);
        for (int p = 0; p < 10; ++p) {
            int sum = 0;
            for (int i = 0; i < 10; ++i)
                sum += left[t][i] * (left[t][10 + p - i] - (2 * i % 10 == p));
            all[t][p] = sum;
        }
        int u[10], known = -1;
        for (int e = starts[t]; e < starts[t + 1]; ++e) {
            int p = firsts[e] / 10, b = firsts[e] % 10;
            if (p != known) {
                known = p;
                #pragma unroll
                for (int i = 0; i < 10; ++i)
                    u[i] = left[t][i] * (left[t][10 + p - i] - (2 * i % 10 == p));
            }
            int met = 0;
            #pragma unroll
            for (int i = 0; i < 10; ++i)
                met += u[i] * (left[t][10 + b - i] - (2 * i % 10 == b));
            i64 four = (i64)all[t][p] * ((i64)all[t][b] + 2 * (p == b)) - 4 * (i64)met;
            if (factor) atomicAdd(ways + places[e], (u64)(factor * four));
        }
    }
    if (t == TABLES) {
        i64 alike = 0, squares = 0, twins = 0, one_value = 0, of_value[10] = {0};
        for (int rank = 0; rank < 13; ++rank) {
            i64 count = shoe[rank], pair = count * (count - 1);
            alike += pair;
            squares += pair * pair;
            twins += pair * (count - 2) * (count - 3);
            of_value[points[rank]] += pair;
        }
        for (int value = 0; value < 10; ++value) one_value += of_value[value] * of_value[value];
        one_value -= squares;
        i64 other = alike * alike - squares - one_value;
        i64 single = alike * (n - 2) * (n - 3) - twins - one_value - other;
        i64 rest = (n - 4) * (n - 5);
        ways[ends] = (n * (n - 1) * (n - 2) * (n - 3) - 2 * single - other - one_value - twins) * rest;
        ways[ends + 1] = ways[ends + 2] = single * rest;
        ways[ends + 3] = other * rest;
        ways[ends + 4] = one_value * rest;
        ways[ends + 5] = twins * rest;
    }
    __syncthreads();
    i64 draws = n * (n - 1) * (n - 2) * (n - 3) * (n - 4) * (n - 5);
    for (int bet = t; bet < bets; bet += blockDim.x) {
        i64 high = 0, low = 0;
        for (int place = 0; place < columns; ++place) {
            i64 weight = weights[(i64)place * bets + bet];
            high += (i64)(ways[place] >> 32) * weight;
            low += (i64)(ways[place] & 0xFFFFFFFFULL) * weight;
        }
        high += low >> 32;
        low &= 0xFFFFFFFFLL;
        values[(i64)blockIdx.x * bets + bet] =
            ((double)high * 4294967296.0 + (double)low) / ((double)denominators[bet] * (double)draws);
    }
}
"""


@lru_cache(maxsize=1)
def _kernel() -> Any:
    options = (f"-DTABLES={TABLES}", f"-DPAIRS={PAIRS}")
    return load_cupy().RawKernel(SOURCE, "value_shoes", options=options)


def worths(pays: Pays, shoes: Shoes) -> Worths:
    """`valuing.worths` on the GPU; where a bet asks for suits, or for pairs with totals, on the processor."""
    if pays.detailed is not None:
        return detailed_worths(pays.detailed, shoes)
    cupy = load_cupy()
    firsts = np.repeat(np.arange(100), np.diff(pays.starts))
    order = np.argsort(pays.tables, kind="stable")
    starts = np.searchsorted(pays.tables[order], range(TABLES + 1))
    bets, ends = len(pays.bets), pays.weights.shape[1] - PAIRS
    values = cupy.empty((len(shoes), bets), np.float64)
    _kernel()(
        (len(shoes),),
        (THREADS,),
        (
            cupy.asarray(shoes),
            np.int32(bets),
            np.int32(ends),
            cupy.asarray(pays.points),
            cupy.asarray(starts.astype(np.int32)),
            cupy.asarray(firsts[order].astype(np.int32)),
            cupy.asarray(pays.places[order].astype(np.int32)),
            cupy.asarray(np.ascontiguousarray(pays.weights.T)),
            cupy.asarray(pays.denominators),
            values,
        ),
        shared_mem=8 * (ends + PAIRS),
    )
    result: Worths = cupy.asnumpy(values)
    return result
