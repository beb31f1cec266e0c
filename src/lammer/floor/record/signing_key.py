"""The house's signing key: made at the first start, kept in the data folder, readable by its owner alone.

It signs checkpoints and certificates of training, and nothing else. Whoever keeps checkpoints elsewhere also
keeps the public key, which is written beside it; a new key only means that verification is told of two.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final
from uuid import uuid4

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from lammer.rulebook.refusal import Refused

PRIVATE: Final = "checkpoint-key.pem"
PUBLIC: Final = "checkpoint-key.public.pem"


def house_key(folder: Path) -> Ed25519PrivateKey:
    """The key of this data folder; made now if there is none. Two who start at once get the same one."""
    key = private_key(folder / PRIVATE)
    if not (folder / PUBLIC).exists():
        put_whole(folder / PUBLIC, public_pem(key.public_key()), 0o644)
    return key


def private_key(path: Path) -> Ed25519PrivateKey:
    """The key in a file; made now if there is none."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        new_key = Ed25519PrivateKey.generate()
        put_whole(path, new_key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()), 0o600)
    return _load(path)


def public_pem(key: Ed25519PublicKey) -> bytes:
    """The public key as others take it (for `openssl pkey -pubin`, for example)."""
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def public_key(pem: bytes) -> bytes:
    """A public key read back, as the 32 bytes a checkpoint names.

    >>> key = Ed25519PrivateKey.generate().public_key()
    >>> public_key(public_pem(key)) == key.public_bytes_raw()
    True
    """
    try:
        key = load_pem_public_key(pem)
    except ValueError:
        key = None
    if not isinstance(key, Ed25519PublicKey):
        raise Refused("malformed_input", "This is not an Ed25519 public key.")
    return key.public_bytes_raw()


def must_be_private(path: Path) -> None:
    """Refuse a file of a key that others than its owner can read."""
    if path.stat().st_mode & 0o077:
        raise Refused(
            "key_exposed",
            "The signing key {path} can be read by others than its owner.",
            next_step="chmod 600 {path}; if somebody may have read it, remove it and let a new one be made.",
            path=path,
        )


def _load(path: Path) -> Ed25519PrivateKey:
    must_be_private(path)
    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except (ValueError, TypeError):
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise Refused(
            "malformed_input",
            "{path} is not an Ed25519 private key.",
            next_step="Put the right file back, or remove it and let a new key be made.",
            path=path,
        )
    return key


def put_whole(path: Path, contents: bytes, mode: int, *, over: bool = False) -> None:
    """Write a file whole and to the disk; leave one somebody put there meanwhile, or write over it."""
    draft = path.with_name(f".{path.name}.{uuid4().hex}")
    try:
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            os.fchmod(file.fileno(), mode)
            file.write(contents)
            file.flush()
            os.fsync(file.fileno())
        if over:
            draft.replace(path)
        with suppress(FileExistsError, FileNotFoundError):
            os.link(draft, path)
    finally:
        draft.unlink(missing_ok=True)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """A new file is only on disk when its folder is."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
