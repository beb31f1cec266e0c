"""Logs that only grow, and what shows it: Merkle trees, tiles, signed notes, checkpoints and cosignatures.

Arithmetic on bytes, after RFC 6962 and the C2SP specifications (tlog-tiles, signed-note, tlog-checkpoint,
tlog-cosignature, tlog-witness). No files, no network, no clock, and no idea of what is logged.
"""
