"""What the shipped rulebooks say is in the file beside each; a rulebook of one's own can have one too."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import lammer
from lammer import rulebook
from lammer.rulebook.diff import diff
from lammer.rulebook.model import Rulebook
from lammer.rulebook.refusal import Refused
from lammer.shelf import books_by_id, shelf, shipped_ids
from lammer.wording.rules import choice_of, gist_of, irregularity_title, reading_words, why_not_executable
from lammer.wording.titles import title_of

DOCUMENT = Path(lammer.__file__).parent / "rulebook/documents/tiger-buffalo-noncommission@4.toml"


def texts_in_chinese(book: Rulebook) -> list[str]:
    """Everything that is read of a rulebook, save titles and odds."""
    said = [gist_of("zh", book, number) for number in book.paragraphs]
    said += [why_not_executable("zh", book, number) for number in book.paragraphs]
    said += [irregularity_title("zh", book, rule) for rule in book.irregularities.values()]
    for reading in book.readings.values():
        words = reading_words("zh", book, reading)
        said += [words.question, words.choice, *words.alternatives, words.because]
    return [text for text in said if text]


@pytest.mark.parametrize("book", shelf(), ids=lambda book: book.id)
def test_a_shipped_rulebook_is_said_in_chinese_from_end_to_end(book: Rulebook) -> None:
    said = texts_in_chinese(book)
    assert len(said) > 150
    assert [text for text in said if re.search("[A-Za-z]{3,}", text.replace(book.id, ""))] == []


def test_the_files_beside_are_no_rulebooks() -> None:
    assert len(shipped_ids()) == len(shelf()) == 5


def test_a_rulebook_of_ones_own_has_its_languages_beside_it(tmp_path: Path) -> None:
    own = rulebook("tiger-buffalo-noncommission@4")
    (tmp_path / "own.toml").write_bytes(DOCUMENT.read_bytes())
    french = (
        'title = "Tigre et buffle"\n[bets]\ntie = "Égalité"\n'
        '[gists]\n"1.2" = "Trois cartes, sept"\n[choices]\nsame_rank = "rang"'
    )
    (tmp_path / "own.fr.toml").write_text(french, "utf-8")
    read = books_by_id(str(tmp_path))[own.id]
    assert read.sha256 == own.sha256
    assert gist_of("fr", read, "1.2") == "Trois cartes, sept"
    assert choice_of("fr", read, "same_rank") == "rang"
    assert (title_of("fr", read), title_of("fr", read.bets["tie"])) == ("Tigre et buffle", "Égalité")
    assert title_of("zh", read.bets["tie"]) == own.bets["tie"].title_zh
    assert diff(own, read) == ()
    assert gist_of("fr", read, "1.1") == own.paragraphs["1.1"].gist, "what it does not say is said in English"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('[gists]\n"99.9" = "?"', "speaks of 99.9"),
        ('[gist]\n"1.1" = "?"', "cannot be read"),
        ("gists = 3", "cannot be read"),
        ("[gists", "cannot be read"),
        ('[questions]\nnobody = "?"', "speaks of nobody"),
        ('[bets]\nhorse = "?"', "speaks of horse"),
        ("[bets]\ntie = 3", "cannot be read"),
        ("title = 3", "cannot be read"),
    ],
)
def test_a_file_about_something_else_is_refused(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "own.toml").write_bytes(DOCUMENT.read_bytes())
    (tmp_path / "own.zh.toml").write_text(text)
    with pytest.raises(Refused, match=why) as refused:
        rulebook(str(tmp_path / "own.toml"))
    assert refused.value.code == "malformed_input"


def test_a_translation_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_bytes(DOCUMENT.read_bytes())
    (tmp_path / "own.zh.toml").write_bytes(b"[gists]\n\xff")
    with pytest.raises(Refused, match="cannot be read"):
        rulebook(str(tmp_path / "own.toml"))


def test_a_copy_set_aside_is_no_translation(tmp_path: Path) -> None:
    for name in ("own.toml", "own.old.toml", "own.b.zh.toml"):
        (tmp_path / name).write_bytes(DOCUMENT.read_bytes())
    assert rulebook(str(tmp_path / "own.toml")).translations == {}
