"""Training in the record, on both databases: what is remembered, tests and certificates."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import lammer
from lammer import Refused
from lammer.academy.exams import Certificate, Composition, items_of_test
from lammer.academy.repetition import reviewed
from lammer.floor.record.certificates import check_certificate, read_certificate, sign_certificate
from lammer.floor.record.contract import Store
from lammer.floor.record.copies import back_up, restore
from lammer.floor.record.row_journal import check_journal, fold
from lammer.floor.record.store.opening import open_store
from lammer.floor.record.training import Training
from lammer.wording.phrases import in_words

BOOK = "tiger-buffalo-noncommission@4"
BOOKS = {book.id: book for book in lammer.shelf()}
COMPOSITION = Composition({"totals": 2, "drawing": 1}, 5, 60)


def set_one(training: Training, test: str = "t1") -> None:
    training.set_test(test, "mei", (BOOK, BOOKS[BOOK].sha256), COMPOSITION, 77, "ada", 1_000_000)


def test_what_is_remembered_grows_with_each_answer(store: Store) -> None:
    training = Training(store)
    for right, now in ((False, 100), (True, 200), (True, 900)):
        learn = partial(reviewed, right=right, now=now)
        training.answer("mei", BOOK, ("drawing", "3.15"), now, learn)
    training.answer("bo", BOOK, ("drawing", "3.15"), 5, lambda memory: reviewed(memory, True, 5))
    (memory,) = training.memories("mei", BOOK).values()
    assert (memory.step, memory.right, memory.wrong) == (2, 2, 1)
    assert training.memories("mei", "another@1") == {}
    assert [(row.account, row.memory.right) for row in training.everybody(BOOK)] == [("bo", 1), ("mei", 2)]


def test_answers_to_a_test_come_in_order_and_once(store: Store) -> None:
    training = Training(store)
    set_one(training)
    training.note_answer("t1", 1, "before it began", 2_000_000)
    training.start("t1", 2_000_000)
    training.start("t1", 9_000_000)
    for number, written in ((1, "4"), (1, "5"), (3, "6"), (2, "7")):
        training.note_answer("t1", number, written, 3_000_000)
    test = training.test("t1")
    assert (test.started_at, test.answers) == (2_000_000, ("4", "7"))
    assert not test.is_over(302_000_000)
    assert test.is_over(302_000_001)
    training.note_answer("t1", 3, "too late", 302_000_001)
    assert training.test("t1").answers == ("4", "7")
    training.finish("t1", 1, None, 303_000_000)
    training.finish("t1", 3, b"later", 304_000_000)
    test = training.test("t1")
    assert (test.correct, test.passed, test.finished_at) == (1, False, 303_000_000)
    assert training.certificate("t1") is None
    with pytest.raises(Refused, match="unknown_test"):
        training.test("t2")


def test_the_state_of_a_test_follows_it_and_lists_are_bounded(store: Store) -> None:
    training = Training(store)
    for name in ("t1", "t2", "t3"):
        set_one(training, name)
    assert training.test("t1").state == "to_be_taken"
    training.start("t1", 2_000_000)
    assert training.test("t1").state == "under_way"
    training.finish("t1", 3, b"signed", 3_000_000)
    training.start("t2", 2_000_000)
    training.finish("t2", 0, None, 3_000_000)
    assert [test.state for test in training.tests("mei")] == ["passed", "not_passed", "to_be_taken"]
    assert training.certificate("t1") == b"signed"
    assert [test.id for test in training.tests(rulebook=BOOK, most=2)] == ["t1", "t2"]
    assert training.tests(rulebook="another@1") == []
    assert training.everybody("another@1") == []


def test_the_journal_knows_of_tests_and_a_copy_carries_all(store: Store, tmp_path: Path) -> None:
    training = Training(store)
    set_one(training)
    training.answer("mei", BOOK, ("totals", "1.25"), 5, lambda memory: reviewed(memory, True, 5))
    with store.reading() as connection:
        assert fold(connection).rows["training_tests"].keys() == {"t1"}
    assert check_journal(store)[0] == []
    back_up(store, tmp_path / "copy")
    with closing(open_store(str(tmp_path / "copied.sqlite"))) as copied:
        restore(copied, tmp_path / "copy")
        assert Training(copied).test("t1") == training.test("t1")
        assert Training(copied).memories("mei", BOOK) == training.memories("mei", BOOK)


def certificate(**changed: object) -> Certificate:
    answers = [item.answer for item in items_of_test(BOOKS[BOOK], COMPOSITION, 77)]
    said = {
        "person": "mei",
        "rulebook": BOOK,
        "rulebook_sha256": BOOKS[BOOK].sha256,
        "composition": dict(COMPOSITION.items),
        "minutes": COMPOSITION.minutes,
        "pass_mark": COMPOSITION.pass_mark,
        "seed": 77,
        "answers": answers,
        "right": 3,
        "asked": 3,
        "set_by": "ada",
        "finished_at": 5,
    }
    return Certificate(**(said | changed))  # type: ignore[arg-type]


def test_a_certificate_holds_by_its_signature_and_by_its_answers() -> None:
    key = Ed25519PrivateKey.generate()
    trusted = [key.public_key().public_bytes_raw()]
    file = sign_certificate(certificate(), key)
    assert read_certificate(file).person == "mei"
    assert check_certificate(file, trusted, BOOKS) == []
    assert check_certificate(file, [], BOOKS) == ["it is signed by a key that is not trusted"]
    (forged,) = check_certificate(file.replace(b'"mei"', b'"bo"'), trusted, BOOKS)
    assert "signature" in forged
    other = sign_certificate(certificate(), Ed25519PrivateKey.generate())
    assert check_certificate(other, trusted, BOOKS) == ["it is signed by a key that is not trusted"]
    (unknown,) = check_certificate(file, trusted, {})
    assert "no rulebook" in unknown


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"items_version": 1}, "its items are of version 1"),
        ({"right": 2}, "its answers come to 3 of 3"),
        ({"answers": ["", "", ""]}, "do not reach 60 per cent"),
        ({"rulebook_sha256": "0" * 64}, "the SHA-256 differs"),
        ({"composition": {"insurance": 3}}, "has no items of the kind"),
    ],
)
def test_a_house_cannot_sign_what_the_answers_do_not_bear_out(changed: dict[str, object], why: str) -> None:
    key = Ed25519PrivateKey.generate()
    file = sign_certificate(certificate(**changed), key)
    wrong = check_certificate(file, [key.public_key().public_bytes_raw()], BOOKS)
    assert any(why in problem for problem in wrong), wrong
    assert all(in_words("zh", problem) != problem for problem in wrong)


def test_what_is_no_certificate_is_refused() -> None:
    with pytest.raises(Refused, match="not a certificate"):
        read_certificate(b"{}")
