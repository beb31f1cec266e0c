"""The streams on an NVIDIA GPU: the same generators, the same shoes, and so the same counts.

Each lane of a warp plays one stream. Its shoe lies in shared memory, four cards to a word and the 32 lanes
of a warp side by side, so that each lane has a bank to itself whatever card it asks for. The keys are
counted in shared memory and handed over at the end. The processor's kernel stays the reference.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from lammer.lab.simulation.detailed import CODES
from lammer.lab.simulation.kernels import KEYS, PAIRS
from lammer.lab.simulation.streams import STREAM, STRETCH, Block, Deal, Tally, recorded_streams
from lammer.rulebook.refusal import Refused

WARP = 32
WAVES = 4
"""Blocks of a launch for each multiprocessor: enough to even out, short enough to watch."""

SOURCE = r"""
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

__device__ __forceinline__ u64 mix(u64 z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

__device__ __forceinline__ u32 rotate_left(u32 x, int by) { return __funnelshift_l(x, x, by); }

// Where a lane keeps place k of its shoe, from the start of its own first word.
__device__ __forceinline__ u32 at(u32 k) { return k + (k & ~3u) * 31u; }

__device__ __forceinline__ void swap(unsigned char* shoe, u32 a, u32 b) {
    unsigned char x = shoe[a], y = shoe[b];
    shoe[a] = y;
    shoe[b] = x;
}

#ifdef CODES
// A card is four times its rank and its suit; the code is a place in `exact.pairs.SUITED`.
__device__ __forceinline__ u32 suits_of(u32 one, u32 other) {
    u32 a = one & 3u, b = other & 3u;
    return a == b ? 0u : a + b == 3u ? 1u : 2u;
}

__device__ __forceinline__ u32 suited_code(u32 p1, u32 b1, u32 p2, u32 b2, const unsigned char* worth) {
    bool player = p1 >> 2 == p2 >> 2, banker = b1 >> 2 == b2 >> 2;
    if (!player && !banker) return 0u;
    if (!banker) return 1u + suits_of(p1, p2);
    if (!player) return 4u + suits_of(b1, b2);
    u32 compared = p1 >> 2 == b1 >> 2 ? 2u : worth[p1 >> 2] == worth[b1 >> 2] ? 1u : 0u;
    return 7u + 9u * compared + 3u * suits_of(p1, p2) + suits_of(b1, b2);
}
#endif

extern "C" __global__ void play(
    u64 seed, u64 first, u32 streams, u32 rounds, u32 last_rounds, const unsigned char* cards, u32 size,
    u32 last, u32 end, u32 words, const unsigned char* uses, u64* tally, u64* pairs, const i64* key_wins,
    const i64* pair_wins, u32 stretch, u32 kept, u32 stretches, i64* wins, const unsigned char* points_of,
    u64* both, const i64* both_wins)
{
    extern __shared__ u32 memory[];
#ifdef CODES
    unsigned char* worth = (unsigned char*)((u32*)memory + KEYS) + 1000;
    if (threadIdx.x < 13) worth[threadIdx.x] = points_of[threadIdx.x];
#endif
    u32* key_counts = memory;
    unsigned char* used = (unsigned char*)(key_counts + KEYS);
    u32* shoes = key_counts + KEYS + 256;
    unsigned char* shoe = (unsigned char*)(shoes + (threadIdx.x / 32) * words * 32 + (threadIdx.x & 31));
    for (u32 i = threadIdx.x; i < KEYS; i += blockDim.x) key_counts[i] = 0;
    for (u32 i = threadIdx.x; i < 1000; i += blockDim.x) used[i] = uses[i];
    __syncthreads();

    u32 mine = blockIdx.x * blockDim.x + threadIdx.x;
    if (mine < streams) {
        for (u32 k = 0; k < 4 * words; ++k) shoe[at(k)] = k < size ? cards[k] : 0;
        u64 start = seed + ((first + mine) * 2 + 1) * 0x9E3779B97F4A7C15ULL;
        u64 a = mix(start), b = mix(start + 0x9E3779B97F4A7C15ULL);
        u32 s0 = (u32)a, s1 = (u32)(a >> 32), s2 = (u32)b, s3 = (u32)(b >> 32);
        u32 left = mine + 1 == streams ? last_rounds : rounds;
        bool keep = stretch > 0 && mine < kept;
        u32 until = stretch, chunk = 0, one = 0, two = 0, three = 0, four = 0, five = 0, played = left;
        i64 won = 0;
        while (left > 0) {
            u32 n = size;
            for (u32 k = 0; k < end; k += 2, n -= 2) {
                u32 i, j, rest, both = n * (n - 1);
                do {
                    u32 x = rotate_left(s0 + s3, 7) + s0, t = s1 << 9;
                    s2 ^= s0; s3 ^= s1; s1 ^= s2; s0 ^= s3; s2 ^= t; s3 = rotate_left(s3, 11);
                    u64 product = (u64)x * n;
                    i = (u32)(product >> 32);
                    product = (u64)(u32)product * (n - 1);
                    j = (u32)(product >> 32);
                    rest = (u32)product;
                } while (rest < both && rest < (0u - both) % both);
                u32 slot = at(k);
                swap(shoe, slot, at(k + i));
                swap(shoe, slot + 1, at(k + 1 + j));
            }
            u32 k = 0;
            while (k <= last && left > 0) {
                u32 w = at(k & ~3u), shift = (k & 3) * 8;
                u32 w0 = *(u32*)(shoe + w), w1 = *(u32*)(shoe + w + 128), w2 = *(u32*)(shoe + w + 256);
                u32 four_cards = __funnelshift_r(w0, w1, shift), next = __funnelshift_r(w1, w2, shift);
#ifdef CODES
                u32 c0 = four_cards & 255u, c1 = (four_cards >> 8) & 255u;
                u32 c2 = (four_cards >> 16) & 255u, c3 = four_cards >> 24;
                u32 points = worth[c0 >> 2] | (u32)worth[c1 >> 2] << 8 | (u32)worth[c2 >> 2] << 16
                    | (u32)worth[c3 >> 2] << 24;
                next = ((u32)worth[(next & 255u) >> 2] << 4) | ((u32)worth[((next >> 8) & 255u) >> 2] << 12);
#else
                u32 points = (four_cards >> 4) & 0x0F0F0F0Fu;
#endif
                u32 sums = points + (points >> 16);
                u32 p = sums & 31u, b = (sums >> 8) & 31u;
                p = p >= 10 ? p - 10 : p;
                b = b >= 10 ? b - 10 : b;
                u32 third = (next >> 4) & 15u, fourth = (next >> 12) & 15u;
                u32 head = (p * 10 + b) * 10 + third, key = head * 10 + fourth;
#ifdef CODES
                u32 code = suited_code(c0, c1, c2, c3, worth), cell = key * CODES + code;
                atomicAdd(both + cell, (u64)1);
#else
                atomicAdd(key_counts + key, 1u);
                u32 alike = (four_cards ^ (four_cards >> 16));
                u32 code = ((alike & 0xFFu) == 0) | (((alike & 0xFF00u) == 0) << 1);
                if (code == 3) {
                    u32 other = (four_cards ^ (four_cards >> 8)) & 0xFFu;
                    code = other == 0 ? 5 : other < 16 ? 4 : 3;
                }
                one += code == 1; two += code == 2; three += code == 3; four += code == 4; five += code == 5;
#endif
                k += used[head];
                --left;
                if (keep) {
#ifdef CODES
                    won += both_wins[cell];
#else
                    won += key_wins[key] + pair_wins[code];
#endif
                    if (--until == 0) {
                        wins[(u64)mine * stretches + chunk] = won;
                        until = stretch; won = 0; ++chunk;
                    }
                }
            }
        }
        atomicAdd(pairs, (u64)(played - one - two - three - four - five));
        atomicAdd(pairs + 1, (u64)one);
        atomicAdd(pairs + 2, (u64)two);
        atomicAdd(pairs + 3, (u64)three);
        atomicAdd(pairs + 4, (u64)four);
        atomicAdd(pairs + 5, (u64)five);
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < KEYS; i += blockDim.x)
        if (key_counts[i]) atomicAdd(tally + i, (u64)key_counts[i]);
}
"""


def load_cupy() -> Any:
    """CuPy, or a refusal that says how to get it."""
    try:
        import cupy  # noqa: PLC0415
    except ImportError:
        raise Refused(
            "no_gpu",
            "The GPU needs CuPy, which is not installed.",
            next_step="Install lammer[gpu], or leave out --device cuda.",
        ) from None
    return cupy


@lru_cache(maxsize=1)
def must_have_gpu() -> int:
    """How many streams a launch takes on this machine's GPU; without one it is refused."""
    cupy = load_cupy()
    try:
        multiprocessors = cupy.cuda.Device().attributes["MultiProcessorCount"]
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise Refused(
            "no_gpu",
            "This machine has no NVIDIA GPU that can be used ({error}).",
            next_step="Leave out --device cuda: the processor gives the same counts.",
            error=error,
        ) from None
    return int(multiprocessors) * WAVES * _threads(520)


def _words(size: int) -> int:
    """Words of a lane's shoe, with those past its end that the last round may look at."""
    return -(-(size + 8) // 4)


def _threads(size: int) -> int:
    """Lanes of a block: as many shoes as fit beside the counts."""
    cupy = load_cupy()
    most = cupy.cuda.Device().attributes["MaxSharedMemoryPerBlockOptin"]
    warps = (most - 4 * (KEYS + 256)) // (4 * WARP * _words(size))
    if warps < 1:
        raise Refused(
            "impossible_run",
            "A shoe of {size} cards is too large for the GPU's shared memory.",
            next_step="Leave out --device cuda.",
            size=size,
        )
    return int(min(warps, 32)) * WARP


@lru_cache(maxsize=2)
def _kernel(detailed: bool) -> Any:
    """The kernel; `detailed` counts keys and codes together, in the GPU's own memory, as `detailed` does."""
    options = (f"-DKEYS={KEYS}", f"-DCODES={CODES}") if detailed else (f"-DKEYS={KEYS}",)
    return load_cupy().RawKernel(SOURCE, "play", options=options)


def deal_block(deal: Deal, block: Block) -> Tally:
    """`streams.deal_block` on the GPU."""
    if deal.insure is not None:
        raise Refused(
            "impossible_run",
            "Insurance when it is worth it looks into the shoe, which the GPU does not do.",
            next_step="Leave out --device cuda.",
        )
    cupy = load_cupy()
    size, streams = deal.cards.size, len(block.rounds)
    words, threads = _words(size), _threads(size)
    shared = 4 * (KEYS + 256) + 4 * words * threads
    keys, pairs = cupy.zeros(KEYS, np.uint64), cupy.zeros(PAIRS, np.uint64)
    kept = recorded_streams(deal, block)
    wins = cupy.zeros((max(kept, 1), STREAM // STRETCH), np.int64)
    nothing = np.zeros(1, np.int64)
    detailed = deal.points is not None
    both = cupy.zeros(KEYS * CODES if detailed else 1, np.uint64)
    kernel = _kernel(detailed)
    # Set at every launch: the limit belongs to the compiled function, and another shoe may have set it lower.
    kernel.max_dynamic_shared_size_bytes = shared
    kernel(
        (-(-streams // threads),),
        (threads,),
        (
            np.uint64(deal.seed),
            np.uint64(block.first),
            np.uint32(streams),
            np.uint32(block.rounds[0]),
            np.uint32(block.rounds[-1]),
            cupy.asarray(deal.cards),
            np.uint32(size),
            np.uint32(deal.last),
            np.uint32(min(size, deal.last + 6)),
            np.uint32(words),
            cupy.asarray(deal.uses),
            keys,
            pairs,
            cupy.asarray(nothing if deal.key_wins is None else deal.key_wins),
            cupy.asarray(nothing if deal.pair_wins is None else deal.pair_wins),
            np.uint32(STRETCH if kept else 0),
            np.uint32(kept),
            np.uint32(STREAM // STRETCH),
            wins,
            cupy.asarray(np.zeros(16, np.uint8) if deal.points is None else deal.points),
            both,
            cupy.asarray(nothing if deal.both_wins is None else deal.both_wins),
        ),
        shared_mem=shared,
    )
    tally = Tally.empty(detailed=detailed)
    tally.rounds = block.size
    if detailed:
        tally.both += cupy.asnumpy(both).astype(np.int64)
        tally.add_up()
    else:
        tally.keys += cupy.asnumpy(keys).astype(np.int64)
        tally.pairs += cupy.asnumpy(pairs).astype(np.int64)
    tally.keep(block, cupy.asnumpy(wins)[:kept])
    return tally
