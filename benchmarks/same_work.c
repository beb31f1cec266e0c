/* The simulation's work once more, as a plain C loop: numbered streams, shoes shuffled as far as they are
   dealt, every round counted by key and by pairs. `simulated_rounds.py` compiles it, checks that it counts
   what the compiled Python counts, and compares the two. */

#include <stdint.h>
#include <string.h>

#define KEYS 10000
#define PAIRS 6

static uint64_t mixed(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

static inline uint32_t turned(uint32_t x, int by) { return (x << by) | (x >> (32 - by)); }

static inline void swap(uint8_t *shoe, uint32_t a, uint32_t b) {
    uint8_t here = shoe[a];
    shoe[a] = shoe[b];
    shoe[b] = here;
}

/* Two places to a random word, by multiplication with rejection; a byte to spare behind an odd shoe. */
static void shuffle(uint8_t *shoe, uint32_t size, uint32_t end, uint32_t s[4]) {
    uint32_t s0 = s[0], s1 = s[1], s2 = s[2], s3 = s[3];
    for (uint32_t place = 0, left = size; place < end; place += 2, left -= 2) {
        uint32_t both = left * (left - 1), first, second, rest;
        do {
            uint32_t x = turned(s0 + s3, 7) + s0, t = s1 << 9;
            s2 ^= s0;
            s3 ^= s1;
            s1 ^= s2;
            s0 ^= s3;
            s2 ^= t;
            s3 = turned(s3, 11);
            uint64_t product = (uint64_t)x * left;
            first = product >> 32;
            product = (uint64_t)(uint32_t)product * (left - 1);
            second = product >> 32;
            rest = (uint32_t)product;
        } while (rest < both && rest < (0u - both) % both);
        swap(shoe, place, place + first);
        swap(shoe, place + 1, place + 1 + second);
    }
    s[0] = s0, s[1] = s1, s[2] = s2, s[3] = s3;
}

void play(uint64_t seed, uint64_t first, int64_t streams, const int64_t *rounds, const uint8_t *cards,
          int64_t size, int64_t last, const uint8_t *uses, int64_t *tally, int64_t *pairs) {
    uint8_t shoe[65536];
    uint32_t seen[KEYS];
    uint32_t end = size < last + 6 ? size : last + 6;
    for (int64_t i = 0; i < streams; ++i) {
        uint64_t start = seed + ((first + i) * 2 + 1) * 0x9E3779B97F4A7C15ULL;
        uint64_t a = mixed(start), b = mixed(start + 0x9E3779B97F4A7C15ULL);
        uint32_t state[4] = {(uint32_t)a, (uint32_t)(a >> 32), (uint32_t)b, (uint32_t)(b >> 32)};
        uint32_t paired[PAIRS] = {0};
        memcpy(shoe, cards, size);
        memset(seen, 0, sizeof seen);
        for (int64_t left = rounds[i]; left > 0;) {
            shuffle(shoe, size, end, state);
            for (int64_t at = 0; at <= last && left > 0; --left) {
                const uint8_t *c = shoe + at;
                uint32_t player = (c[0] >> 4) + (c[2] >> 4), banker = (c[1] >> 4) + (c[3] >> 4);
                player = player >= 10 ? player - 10 : player;
                banker = banker >= 10 ? banker - 10 : banker;
                uint32_t five = (player * 10 + banker) * 10 + (c[4] >> 4);
                uint32_t code = (c[0] == c[2]) | (c[1] == c[3]) << 1;
                if (code == 3) code = c[0] == c[1] ? 5 : (c[0] ^ c[1]) < 16 ? 4 : 3;
                ++seen[five * 10 + (c[5] >> 4)];
                ++paired[code];
                at += uses[five];
            }
        }
        for (int k = 0; k < KEYS; ++k) tally[k] += seen[k];
        for (int k = 0; k < PAIRS; ++k) pairs[k] += paired[k];
    }
}
