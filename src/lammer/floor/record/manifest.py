"""The manifest of a program: every file, rulebook and library it consists of, in one signed file.

A house signs what it accepted with its own key; a laboratory signs what it has tested with another. What is
found later is compared with it, and every difference is named. Whether a difference is allowed is none of
this module's business.
"""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Final, Literal

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from lammer.build import UNREADABLE, hash_of, library_versions, program_files
from lammer.floor.record.checkpoints import NOT_TRUSTED
from lammer.rulebook.model import Rulebook
from lammer.rulebook.phrase import Phrase
from lammer.rulebook.problems import DefectiveRulebook
from lammer.rulebook.refusal import Refused
from lammer.shelf import language_in_name, read

_SIGNED: Final = b"lammer/program/1\0"
Part = Literal["file", "rulebook", "library", "python", "manifest"]
Happened = Literal["changed", "missing", "added"]


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a program consists of. `build` is the hash over its files, as reports name it."""

    version: str
    build: str
    python: str
    files: dict[str, str]
    rulebooks: dict[str, str]
    libraries: dict[str, str]

    @property
    def sha256(self) -> str:
        """One hash over all of it."""
        return sha256(_encoded(self)).hexdigest()

    def with_rulebook(self, book: Rulebook) -> Manifest:
        """The same with one rulebook more."""
        return msgspec.structs.replace(self, rulebooks={**self.rulebooks, book.id: book.sha256})


class Difference(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One part of a program that is not as it was accepted; values are hashes or versions, empty for none."""

    part: Part
    happened: Happened
    name: str
    accepted: str = ""
    found: str = ""

    @property
    def phrase(self) -> Phrase:
        """What is different, in words.

        >>> Difference("file", "changed", "game/settlement.py").phrase
        'the file game/settlement.py was changed'
        """
        match self.part, self.happened:
            case "file", "changed":
                return Phrase("the file {name} was changed", name=self.name)
            case "file", "missing":
                return Phrase("the file {name} is missing", name=self.name)
            case "file", _:
                return Phrase("the file {name} was added", name=self.name)
            case "rulebook", "changed":
                return Phrase("the rulebook {name} was changed", name=self.name)
            case "rulebook", "missing":
                return Phrase("the rulebook {name} is missing", name=self.name)
            case "rulebook", _:
                return Phrase("the rulebook {name} was added", name=self.name)
            case "library", "changed":
                return Phrase(
                    "the library {name} is version {found}, not {accepted}",
                    name=self.name,
                    found=self.found,
                    accepted=self.accepted,
                )
            case "library", "missing":
                return Phrase("the library {name} is missing", name=self.name)
            case "library", _:
                return Phrase("the library {name} was added", name=self.name)
            case "python", _:
                return Phrase("Python is {found}, not {accepted}", found=self.found, accepted=self.accepted)
        return Phrase("the manifest that was accepted is not signed by the house's key")


MANIFEST_IN_DOUBT: Final = Difference("manifest", "changed", "")


class _File(msgspec.Struct, forbid_unknown_fields=True):
    manifest: Manifest
    key: str
    signature: str


def manifest_now(books: Mapping[str, Rulebook], folders: Iterable[str | Path]) -> Manifest:
    """The program as it is on disk now, with these rulebooks and those in folders of the house's own."""
    files = program_files()
    rulebooks = {book.id: book.sha256 for book in books.values()}
    for folder in folders:
        rulebooks |= rulebook_hashes(folder) if folder else {}
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return Manifest(
        version("lammer"), hash_of(files), python, files, dict(sorted(rulebooks.items())), library_versions()
    )


def rulebook_hashes(folder: str | Path) -> dict[str, str]:
    """The rulebooks of a folder by their ids; one that cannot be read goes by the name of its file."""
    hashes = {}
    for file in sorted(Path(folder).glob("*.toml")):
        if language_in_name(file.name):
            continue
        try:
            book = read(file)
        except (Refused, DefectiveRulebook):
            hashes[file.stem] = UNREADABLE
        else:
            hashes[book.id] = book.sha256
    return hashes


def compare(accepted: Manifest, found: Manifest) -> list[Difference]:
    """Everything in which a program is not the one that was accepted."""
    differences = [
        *_compare("file", accepted.files, found.files),
        *_compare("rulebook", accepted.rulebooks, found.rulebooks),
        *_compare("library", accepted.libraries, found.libraries),
    ]
    if accepted.python != found.python:
        differences.append(Difference("python", "changed", "Python", accepted.python, found.python))
    return differences


def _compare(part: Part, accepted: Mapping[str, str], found: Mapping[str, str]) -> Iterable[Difference]:
    for name in sorted(accepted.keys() | found.keys()):
        before, now = accepted.get(name, ""), found.get(name, "")
        if before != now:
            happened: Happened = "added" if not before else "missing" if not now else "changed"
            yield Difference(part, happened, name, before, now)


def sign_manifest(manifest: Manifest, key: Ed25519PrivateKey) -> bytes:
    """The manifest as a file: what it says, the public key, and the signature, both in hexadecimal."""
    signature = key.sign(_SIGNED + _encoded(manifest)).hex()
    signed = _File(manifest, key.public_key().public_bytes_raw().hex(), signature)
    return msgspec.json.format(msgspec.json.encode(signed, order="deterministic"), indent=1) + b"\n"


def read_manifest(contents: bytes) -> Manifest:
    """What a file says, signed or not; anything else is `malformed_input`."""
    return _file(contents).manifest


def check_signature(contents: bytes, trusted: Iterable[bytes]) -> list[Phrase]:
    """What is wrong with who signed a manifest, and with the signature."""
    signed = _file(contents)
    try:
        key = bytes.fromhex(signed.key)
        Ed25519PublicKey.from_public_bytes(key).verify(
            bytes.fromhex(signed.signature), _SIGNED + _encoded(signed.manifest)
        )
    except (InvalidSignature, ValueError):
        return [Phrase("its signature is not of this key and these contents")]
    return [] if key in set(trusted) else [NOT_TRUSTED]


def _encoded(manifest: Manifest) -> bytes:
    return msgspec.json.encode(manifest, order="deterministic")


def _file(contents: bytes) -> _File:
    try:
        return msgspec.json.decode(contents, type=_File)
    except msgspec.MsgspecError as error:
        raise Refused("malformed_input", "This is not a manifest: {error}.", error=error) from None
