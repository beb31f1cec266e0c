"""The examples: short, loaded through the one door, true to what is published, and played at a table."""

from __future__ import annotations

import tomllib
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

import lammer
from lammer.lab.exact.choices import Aim, Choices
from lammer.lab.exact.composition import Composition
from lammer.lab.exact.edges import edges, percent
from lammer.rulebook.model import Cell
from support.terminal import Terminal

EXAMPLES = Path(__file__).parents[2] / "examples"
OURS = ("chemin-de-fer", "macau-style-insurance", "marina-bay-style-insurance", "no-naturals")
MARINA_BAY = tomllib.loads(Path(__file__).with_name("marina_bay.toml").read_text("utf-8"))["rows"]
ON_FIVE: Cell = ("player", 5, None)
ON_SIX: Cell = ("banker", 6, None)


@pytest.mark.parametrize("name", OURS)
def test_an_example_is_short_and_whole(name: str) -> None:
    file = EXAMPLES / f"{name}.toml"
    assert len(file.read_text("utf-8").splitlines()) < 200
    assert lammer.rulebook(str(file)).game == name


@pytest.mark.parametrize("name", OURS)
def test_an_example_is_played_at_a_table(
    name: str, lammer: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(EXAMPLES.parent)
    played = lammer("play", f"examples/rounds/{name}.toml")
    assert played.code == 0, played.out
    shown = lammer("rulebook", "show", f"examples/{name}.toml", "--json")
    assert shown.code == 0
    assert shown.json["id"] == f"{name}@1"


def test_insurance_of_one_hand_shown_is_played_at_a_table(
    lammer: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Taken once a round, and nothing is said of the hand that is not shown."""
    monkeypatch.chdir(EXAMPLES.parent)
    played = lammer("play", "examples/rounds/macau-style-insurance-one-hand-shown.toml")
    assert played.code == 0, played.out
    assert "Insurance is open before the other hand is shown: Banker pays 2 to 1." in played.out
    assert "insured_before" in played.out
    assert "Forgone" not in played.out


def equilibrium_shoe() -> Choices:
    """Chemin de fer from a shoe so large that cards might as well be dealt with replacement."""
    book = lammer.rulebook(str(EXAMPLES / "chemin-de-fer.toml"))
    return Choices(book, Composition.of_decks(10**6))


def test_chemin_de_fer_has_the_value_kemeny_and_snell_found() -> None:
    """J. G. Kemeny and J. L. Snell, "Game-theoretic solution of baccarat", Amer. Math. Monthly 64 (1957).

    With replacement and totals alone: the Player draws on 5 with probability 9/11, the Banker on 6 against a
    Player who stands with 859/2288, and the game is worth -679568/53094899 to the Player. S. N. Ethier and
    C. Gámez, Games 4 (2013), 711-737, say which game that is: their Model A1, of 2 by 2^88 strategies.
    """
    choices = equilibrium_shoe()
    assert len(choices.cells) == 1 + 88

    def value(cells: frozenset[Cell], five: Fraction) -> Fraction:
        drawn, stood = (choices.edge("player", each) for each in (cells | {ON_FIVE}, cells - {ON_FIVE}))
        return -(five * drawn + (1 - five) * stood)

    five, six, worth = Fraction(9, 11), Fraction(859, 2288), Fraction(-679568, 53094899)
    replies = [
        frozenset(
            cell for cell in choices.choose("banker", "best", ("banker",), play).draws if cell != ON_FIVE
        )
        for play in ("always_draws", "never_draws")
    ]
    # Against the mixture the Banker's cells are still independent of each other.
    banker = replies[0] & replies[1]
    for cell in replies[0] ^ replies[1]:
        if cell != ON_SIX and value(banker | {cell}, five) < value(banker, five):
            banker |= {cell}
    assert abs(value(banker | {ON_SIX}, five) - value(banker, five)) < Fraction(1, 10**8), (
        "the Banker is indifferent"
    )
    assert abs(value(banker, five) - worth) < Fraction(1, 10**8)
    for play in (Fraction(1), Fraction(0)):
        mixed = six * value(banker | {ON_SIX}, play) + (1 - six) * value(banker, play)
        assert abs(mixed - worth) < Fraction(1, 10**8), "and so is the Player"


def test_chemin_de_fer_by_the_tableau_is_punto_banco() -> None:
    """By the tableau's play it is the game of the six-deck figures everybody prints: 1.24% on the Player."""
    book = lammer.rulebook(str(EXAMPLES / "chemin-de-fer.toml"))
    choices = Choices(book)
    assert percent(choices.named("player", "tableau").edge) == "1.2374"
    assert edges(book).bets == edges(book, play="tableau").bets
    aims: tuple[Aim, Aim] = ("best", "worst")
    best, worst = (choices.choose("player", aim).edge for aim in aims)
    named = [choices.named("player", name).edge for name in ("tableau", "player_stands_on_5", "never_draws")]
    assert all(best <= edge <= worst for edge in named)


@pytest.mark.parametrize("row", MARINA_BAY, ids=lambda row: f"{row['hand']}-{row['player']}-{row['banker']}")
def test_marina_bay_insurance_is_worth_what_is_printed(row: dict[str, str | int]) -> None:
    book = lammer.rulebook(str(EXAMPLES / "marina-bay-style-insurance.toml"))
    (found,) = [
        each
        for each in edges(book).insurance
        if each.key == (row["hand"], "four_cards", row["player"], row["banker"])
    ]
    assert str(found.pays) == row["pays"]
    assert abs(Decimal(float(-found.edge)) - Decimal(str(row["worth"]))) <= Decimal("0.0000005")
    won, lost, tied = (Fraction(str(row[key])) for key in ("won", "lost", "tied"))
    assert abs(won + lost + tied - 1) <= Fraction(2, 10**6)
    assert abs(won * found.pays.profit - lost - Fraction(str(row["worth"]))) <= Fraction(3, 10**6)


def test_macau_style_insurance_after_four_cards_is_the_same_offer() -> None:
    """Where both print a situation at the same odds it is worth the same: one table of chances for both."""
    found = [
        {each.key: -each.edge for each in edges(lammer.rulebook(str(EXAMPLES / f"{name}.toml"))).insurance}
        for name in ("macau-style-insurance", "marina-bay-style-insurance")
    ]
    printed = {(row["hand"], "four_cards", row["player"], row["banker"]) for row in MARINA_BAY}
    assert len(printed & found[0].keys()) == 18
    assert all(found[0][key] == found[1][key] for key in printed)  # type: ignore[index]
