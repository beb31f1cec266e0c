"""Screenshots made small enough for a repository: as many colours as a page really has, and no more bytes."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def shrink(path: Path, colours: int = 48) -> int:
    """Write a screenshot of Chromium again with a palette; its size in bytes."""
    pixels = _pixels(path.read_bytes())
    palette, places = _palette(pixels, colours)
    high, wide = places.shape
    head = struct.pack(">IIBBBBB", wide, high, 8, 3, 0, 0, 0)
    rows = np.hstack([np.zeros((high, 1), np.uint8), places]).tobytes()
    parts = ((b"IHDR", head), (b"PLTE", palette.tobytes()), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    path.write_bytes(SIGNATURE + b"".join(_chunk(kind, body) for kind, body in parts))
    return path.stat().st_size


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _pixels(png: bytes) -> Pixels:
    """The pixels of a PNG of eight bits a channel, as red, green and blue."""
    at, packed, wide, high, depth = len(SIGNATURE), b"", 0, 0, 3
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at : at + 8])
        body = png[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            wide, high, bits, colour = struct.unpack(">IIBB", body[:10])
            assert bits == 8
            depth = {2: 3, 6: 4}[colour]
        packed += body if kind == b"IDAT" else b""
        at += 12 + size
    raw, span = zlib.decompress(packed), wide * depth
    before = bytearray(span)
    rows = bytearray()
    for row in range(high):
        start = row * (span + 1)
        before = _unfiltered(raw[start], bytearray(raw[start + 1 : start + 1 + span]), before, depth)
        rows += before
    return np.frombuffer(bytes(rows), np.uint8).reshape(high, wide, depth)[:, :, :3]


def _unfiltered(kind: int, line: bytearray, up: bytearray, depth: int) -> bytearray:
    if kind == 2:
        made = np.frombuffer(bytes(line), np.uint8) + np.frombuffer(bytes(up), np.uint8)
        return bytearray(made.tobytes())
    if kind:
        for x in range(len(line)):
            left = line[x - depth] if x >= depth else 0
            corner = up[x - depth] if x >= depth else 0
            guess = {1: left, 3: (left + up[x]) // 2}.get(kind)
            line[x] = (line[x] + (_paeth(left, up[x], corner) if guess is None else guess)) & 255
    return line


def _paeth(left: int, up: int, corner: int) -> int:
    guess = left + up - corner
    far = abs(guess - left), abs(guess - up), abs(guess - corner)
    return (left, up, corner)[far.index(min(far))]


def _palette(pixels: Pixels, most: int) -> tuple[Pixels, Pixels]:
    """Colours a page cannot do without, and each pixel's nearest among them.

    The most used comes first; then, one by one, whatever is both used much and unlike those chosen, so that a
    few red pips are not drowned by a hundred shades of one green.
    """
    high, wide, _ = pixels.shape
    flat = pixels.reshape(-1, 3)
    exact, inverse, counts = np.unique(flat, axis=0, return_inverse=True, return_counts=True)
    _, group = np.unique(exact >> 4, axis=0, return_inverse=True)
    weight = np.bincount(group.ravel(), counts)
    order = np.lexsort((-counts, group.ravel()))
    first = np.unique(group.ravel()[order], return_index=True)[1]
    common = exact[order[first]].astype(np.int64)
    chosen = [int(weight.argmax())]
    apart = np.full(len(common), np.iinfo(np.int64).max)
    while len(chosen) < min(most, len(common)):
        apart = np.minimum(apart, ((common - common[chosen[-1]]) ** 2).sum(axis=1))
        chosen.append(int((np.sqrt(weight) * apart).argmax()))
    palette = common[chosen].astype(np.uint8)
    far = ((exact[:, None, :].astype(np.int32) - palette[None].astype(np.int32)) ** 2).sum(axis=2)
    nearest = far.argmin(axis=1).astype(np.uint8)
    return palette, nearest[inverse.ravel()].reshape(high, wide)
