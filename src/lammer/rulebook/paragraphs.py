"""A document's text cut into its paragraphs, so that an index can be proved against it.

Boundaries: what stands before the table of contents is the title page. A numbered paragraph is the line
its number stands on and everything up to the next number; tables and unnumbered tails belong to the
paragraph above them; lettered items are paragraphs of their own. The SHA-256 of a paragraph is of its text
in UTF-8 with white space folded to single spaces. The text itself is not kept anywhere in Lammer.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

from lammer.rulebook.citation import TITLE
from lammer.rulebook.model import Rulebook

_HEADING = re.compile(r"[#*\s]*([1-9])\.\s+[A-Z][^\t]*$")
_NUMBERED = re.compile(r"[#*\s-]*([1-9]\.[0-9]+(?:\.[0-9]+)*)[\s*]")
_LETTERED = re.compile(r"[*\s-]*([a-z])\.\s")
_ITEM = re.compile(r"\s*-\s")
_CONTENTS = re.compile(r"(?:[#*\s]|<b>)*Table of Contents\b")
_END = re.compile(r"\(Appendix pictures left out")


def split(text: str, lost: Mapping[str, str] | None = None) -> dict[str, str]:
    """The paragraphs of a text by number, white space folded; the title page comes first, as `title`.

    `lost` maps a number the text has lost to the paragraph before it: the first unnumbered list item
    after that one is taken for it.

    >>> split("1. Words\\n- 1.1 One\\n  more\\n - a. First\\n- Two")
    {'1': '1. Words', '1.1': '- 1.1 One more', '1.1.a': '- a. First - Two'}
    >>> split("1. Words\\n- 1.1 One\\n- Two\\n- 1.3 Three", {"1.2": "1.1"})["1.2"]
    '- Two'
    >>> split("My Game\\nVersion 1\\n\\nTable of Contents\\n1. Words\\t3\\n\\n1. Words")
    {'title': 'My Game Version 1', '1': '1. Words'}
    """
    follows = {before: number for number, before in (lost or {}).items()}
    parts: dict[str, list[str]] = {}
    lines = text.splitlines()
    contents = next((place for place, line in enumerate(lines) if _CONTENTS.match(line)), 0)
    if any(line.strip() for line in lines[:contents]):
        parts[TITLE] = lines[:contents]
    numbered = number = ""
    for line in lines[contents:]:
        if _END.match(line):
            break
        if match := _HEADING.match(line) or _NUMBERED.match(line):
            numbered = number = match[1]
        elif numbered and (match := _LETTERED.match(line)):
            number = f"{numbered}.{match[1]}"
        elif number in follows and _ITEM.match(line):
            number = follows[number]
        if number:
            parts.setdefault(number, []).append(line)
    return {number: " ".join(" ".join(lines).split()) for number, lines in parts.items()}


def fingerprint(paragraph: str) -> str:
    """The SHA-256 of one paragraph's text with white space folded.

    >>> fingerprint("a  b\\n") == fingerprint("a b")
    True
    """
    return hashlib.sha256(" ".join(paragraph.split()).encode()).hexdigest()


def index_errors(book: Rulebook, text: str) -> list[str]:
    """What in a rulebook's index does not hold of the text it claims to index; nothing if all does."""
    lost = {
        paragraph.number: paragraph.lost_after
        for paragraph in book.paragraphs.values()
        if paragraph.lost_after
    }
    texts = split(text, lost)
    errors = [
        f"{number} stands in the text but not in the index"
        for number in texts.keys() - book.paragraphs.keys()
    ]
    for number, paragraph in book.paragraphs.items():
        if number not in texts:
            errors.append(f"{number} stands in the index but not in the text")
        elif fingerprint(texts[number]) != paragraph.sha256:
            errors.append(f"{number} reads differently from what was indexed")
    return sorted(errors)
