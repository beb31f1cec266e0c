"""Each value of each shipped rulebook stands in the paragraph it cites, and nothing there is left out.

The facts are taken from the approved texts afresh, by `texts.source`, and compared with the loaded
rulebooks in both directions. The texts are not part of the repository; without them all this is skipped.
"""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction

import pytest

import lammer
from lammer.rulebook.conditions import HandWins
from lammer.rulebook.model import Rulebook, Step
from lammer.rulebook.paragraphs import index_errors, split
from lammer.rulebook.vocabulary import SIDES
from support import texts as parse
from support.texts import ANY_WIN, FOLDER, Source

if not FOLDER.is_dir():
    pytest.skip(f"the approved texts are not at {FOLDER}", allow_module_level=True)

FIRST = "tiger-buffalo-noncommission-insurance@1"
LOST_NUMBERS = {FIRST: {"1.4": "1.3", "4.2.1.b": "4.2.1.a"}}
LOST_HEADINGS = {
    FIRST: {"A"},
    "tiger-buffalo-commission-insurance@3": {"K", "P"},
    "tiger-buffalo-noncommission-insurance@3": {"F"},
}
HEADED_BY_NEXT = {("tiger-buffalo-commission-insurance@3", "P"): "Q"}
OPEN_POSITIONS = (1, 16)  # Where no place of the text states any: reading 19.
OPTIONS = {  # When players get them, by the keywords of the paragraph that gives them.
    "always": "shall have the option to|simultaneous",
    "no_outcome": "provided no outcome",
    "no_outcome_or_not_put_right": "Except .* cards have been Reconstructed",
    "no_outcome_or_cannot_be_put_right": "Except .* cards can be Reconstructed",
}
ROLE_TITLES = ("Pit Supervisor", "Pit Manager", "Table Game Shift Manager")
ROLES = {title.lower().replace(" ", "_"): title for title in ROLE_TITLES}


@pytest.fixture(params=lammer.shelf(), ids=lambda book: book.id)
def book(request: pytest.FixtureRequest) -> Rulebook:
    assert isinstance(request.param, Rulebook)
    return request.param


@pytest.fixture
def source(book: Rulebook) -> Source:
    lost = {p.number: p.lost_after for p in book.paragraphs.values() if p.lost_after}
    return parse.read(FOLDER / f"{book.id}.txt", lost)


def steps(book: Rulebook) -> list[Step]:
    return [step for irregularity in book.irregularities.values() for step in irregularity.steps]


def test_the_index_has_the_paragraphs_of_the_text_in_its_order(book: Rulebook, source: Source) -> None:
    lost = LOST_NUMBERS.get(book.id, {})
    assert {p.number: p.lost_after for p in book.paragraphs.values() if p.lost_after} == lost
    assert list(book.paragraphs) == list(split(source.raw, lost))
    assert index_errors(book, source.raw) == [], "a SHA-256 is not that of its paragraph"


def test_a_word_added_to_any_line_is_reported_of_one_paragraph(book: Rulebook, source: Source) -> None:
    """No line of the body escapes the index."""
    lines = source.raw.splitlines()
    begin = next(n for n, line in enumerate(lines) if "In these rules" in line)
    end = next(n for n, line in enumerate(lines) if "(Appendix pictures left out" in line)
    for n in range(begin, end):
        if lines[n].strip():
            changed = "\n".join([*lines[:n], f"{lines[n]} indeed", *lines[n + 1 :]])
            (told,) = index_errors(book, changed)
            assert told.endswith("reads differently from what was indexed")


def test_a_word_exchanged_is_reported_of_its_paragraph(book: Rulebook, source: Source) -> None:
    told = index_errors(book, source.raw.replace("ten decks", "six decks"))
    assert told == ["2.2.1 reads differently from what was indexed"]


def test_version_and_coming_into_force_are_those_of_the_title_page(book: Rulebook, source: Source) -> None:
    printed = {int(number) for number in re.findall(r"Version (\d+)", parse.title_page(source))}
    assert printed == (set() if book.id == FIRST else {book.version})
    assert book.id != FIRST or book.version == 1
    assert book.in_force_from == parse.in_force_from(source)
    assert book.time_zone == "Asia/Singapore"
    assert book.identity.paragraph == "title"
    assert source.paragraphs["title"] == parse.title_page(source)


def test_title_regulator_and_operator_are_those_of_the_title_page(book: Rulebook, source: Source) -> None:
    """One text misprints the operator; the others give the name all five have in the rulebooks."""
    page = parse.title_page(source)
    assert re.search(rf"[“\"]{re.escape(book.title)} \(", page)
    assert book.approved_by in page
    assert (f"{book.operator} Pte. Ltd." in page) == (book.id != FIRST)


def test_each_bet_is_defined_where_it_says(book: Rulebook, source: Source) -> None:
    """The cited definition names the bet, and every definition of a side bet is cited by its bets."""
    definitions = source.section("1.")
    places = {term: number for number, text in definitions.items() for term in parse.defined_terms(text)}
    side_bets = {t for text in definitions.values() if "side Bet" in text for t in parse.defined_terms(text)}
    titles = {bet.title: bet.defined.paragraph for bet in book.bets.values() if bet.original is None}
    assert titles == {title: places[title] for title in titles}
    assert side_bets <= titles.keys()


def test_each_bet_wins_as_its_definition_says(book: Rulebook, source: Source) -> None:
    for bet in book.bets.values():
        if bet.original is None:
            assert bet.wins == parse.winning(bet.title, source.whole(bet.defined.paragraph)), bet.name


def test_player_and_banker_rest_on_the_winner_and_the_tie(book: Rulebook, source: Source) -> None:
    assert source.holding("higher Point Total is the winner") == [book.winner.paragraph]
    assert source.holding("denotes a Tie") == [book.tie.paragraph]
    assert "shall be returned" in source.paragraphs[book.tie.paragraph]
    for side in SIDES:
        bet = book.bets[side]
        assert (bet.original, bet.defined, bet.tie_returns) == (side, book.winner, book.tie)
        assert isinstance(bet.wins, HandWins)
        assert (bet.wins.hands, bet.wins.totals, bet.wins.cards, bet.wins.by) == ((side,), *ANY_WIN)
    assert all(bet.tie_returns is None for bet in book.bets.values() if bet.original is None)


Row = tuple[str, str, str, frozenset[int], frozenset[int], frozenset[int], frozenset[int], frozenset[str]]


def test_pay_tables_are_those_of_the_text_row_by_row(book: Rulebook, source: Source) -> None:
    """Every row of section 4.1 is a pay of its bet, tier and numbers of cards, and the other way round."""
    titles = {bet.title: bet for bet in book.bets.values()}
    printed: Counter[Row] = Counter()
    for row in parse.pay_rows(source):
        totals, cards, by = parse.narrowed(titles[row.label].wins)
        dealt = frozenset({row.dealt} if row.dealt else {4, 5, 6})
        tiers = frozenset({row.tier} if row.tier else {"single", "double", "twin"})
        limits = (row.totals or totals, row.cards or cards, row.by or by, dealt, tiers)
        printed[(row.label, row.paragraph, row.odds, *limits)] += 1
    paid: Counter[Row] = Counter()
    for bet in book.bets.values():
        totals, cards, by = parse.narrowed(bet.wins)
        for pay in bet.pays:
            assert pay.odds is not None
            limits = (pay.totals & totals, pay.cards & cards, by, pay.cards_dealt, pay.tiers)
            paid[(bet.title, pay.cites[0].paragraph, pay.odds.text, *limits)] += 1
    assert paid == printed


def test_a_definition_cited_beside_the_pay_table_agrees_with_it(book: Rulebook, source: Source) -> None:
    """Non-commission texts define it in section 1: even money, and half on the total it names."""
    cited = set()
    for bet in book.bets.values():
        for pay in bet.pays:
            assert pay.odds is not None
            for cite in pay.cites[1:]:
                cited.add(cite.paragraph)
                text = source.paragraphs[cite.paragraph]
                total, percent = re.findall(r"on (\d) points .* (\d+)%", text)[0]
                usual = re.findall(r"odds of (\d to \d)", text)
                on_total = pay.totals == {int(total)}
                assert on_total or usual == [pay.odds.spoken]
                assert not on_total or pay.odds.profit == Fraction(int(percent), 100)
                assert on_total or int(total) not in pay.totals
    assert cited == set(source.holding(r"odds of \d to \d except"))


def test_commission_is_what_its_paragraph_says(book: Rulebook, source: Source) -> None:
    pays = [(bet, pay) for bet in book.bets.values() for pay in bet.pays]
    kept = [(bet, pay, pay.commission) for bet, pay in pays if pay.commission]
    assert [c.cite.paragraph for _, _, c in kept] == source.holding(r"commission of \d+%")
    for bet, pay, commission in kept:
        text = source.paragraphs[commission.cite.paragraph]
        assert re.search(rf"{bet.title} Hand wins", text)
        assert [Fraction(int(n), 100) for n in re.findall(r"(\d+)%", text)] == [commission.rate]
        assert pay.odds is not None
        assert commission.of.profit * (1 - commission.rate) == pay.odds.profit


def test_bets_are_those_listed_in_the_same_order(book: Rulebook, source: Source) -> None:
    number = book.bets_cite.paragraph
    assert parse.listed_items(source, number) == [bet.title for bet in book.bets.values()]
    (alone,) = re.findall(r"Bet on the (.+?) without", source.paragraphs[number])
    assert set(alone.split(" and/or ")) == {bet.title for bet in book.bets.values() if bet.original is None}


def test_layouts_are_the_appendices_of_the_layout_paragraph(book: Rulebook, source: Source) -> None:
    assert book.layouts_cite.paragraph == "2.1.1"
    assert parse.letters(source.paragraphs["2.1.1"]) == book.layouts.keys()
    assert "Betting boxes" in source.paragraphs[book.boxes_cite.paragraph]


def test_each_bet_is_offered_on_the_appendices_its_paragraph_lists(book: Rulebook, source: Source) -> None:
    """That is the paragraph of its pay table where that lists any, else the one of the layouts."""
    listing = {number for number, text in source.section("4.1.").items() if parse.letters(text)}
    assert listing <= {bet.offered.paragraph for bet in book.bets.values()}
    for bet in book.bets.values():
        pay_table = bet.pays[0].cites[0].paragraph
        assert bet.offered.paragraph == (pay_table if pay_table in listing else "2.1.1"), bet.name
        assert bet.layouts == parse.letters(source.paragraphs[bet.offered.paragraph]), bet.name


def test_positions_come_from_headings_or_if_lost_from_contents(book: Rulebook, source: Source) -> None:
    own, listed = parse.headings(source), parse.contents(source)
    assert listed.keys() == book.layouts.keys()
    assert listed.keys() - own.keys() == LOST_HEADINGS.get(book.id, set())
    for letter, layout in book.layouts.items():
        stand_in = HEADED_BY_NEXT.get((book.id, letter), letter)
        appendix = own[stand_in] if stand_in in own else listed[letter]
        place = f"appendix {stand_in}" if stand_in in own else "contents"
        found = (layout.fewest, layout.most), layout.chinese, layout.cite.paragraph
        assert found == (appendix.positions or OPEN_POSITIONS, appendix.chinese, place), letter


def test_the_table_of_play_is_that_of_the_text_cell_by_cell(book: Rulebook, source: Source) -> None:
    """What the Banker does when the Player takes no card stands in a paragraph of its own."""
    (table,) = source.holding("Banker draws when")
    (no_card,) = source.holding("does not draw a third card")
    naturals, player, banker = parse.table_of_play(source, table)
    found = book.table_of_play
    (defined,) = re.findall(r"Natural refers to .* (\d) or (\d) points", source.whole("1"))
    assert naturals == {found.natural} == {frozenset(map(int, defined))}
    assert found.natural_cite.paragraph == table
    assert {d.cite.paragraph for d in found.player.values()} == {table}
    assert {total: d.draws for total, d in found.player.items()} == player
    text = source.paragraphs[no_card]
    ((stands, draws),) = re.findall(r"stand on ([\d, or]+) and draw on ([\d, or]+)", text)
    assert not set(re.findall(r"\d", stands)) & set(re.findall(r"\d", draws))
    expected: dict[tuple[int, int | None], tuple[bool, str]] = {}
    expected |= {cell: (draw, table) for cell, draw in banker.items()}
    expected |= {(int(n), None): (n in draws, no_card) for n in re.findall(r"\d", stands + draws)}
    assert {cell: (d.draws, d.cite.paragraph) for cell, d in found.banker.items()} == expected


def test_insurance_offers_are_the_rows_of_the_insurance_table(book: Rulebook, source: Source) -> None:
    """They cite the table's paragraph; in one text half of it lies before that number."""
    assert (book.insurance is not None) == bool(source.holding("Insurance"))
    offers = book.insurance.offers if book.insurance else ()
    rows = parse.insurance_rows(source)
    assert Counter(row for _, row in rows) == Counter(
        parse.InsuranceRow(o.hand, o.window, o.own, o.other, o.odds.text, o.tie_wins is not None)
        for o in offers
    )
    places = {offer.cite.paragraph for offer in offers}
    assert places == set(re.findall(r"paragraph (4\.1\.\d+)", source.whole("3")))
    assert {place for place, _ in rows} == places | ({"4.1.7"} if book.id == FIRST else set())


def test_insurance_that_wins_on_a_tie_is_what_its_paragraph_says(book: Rulebook, source: Source) -> None:
    offers = book.insurance.offers if book.insurance else ()
    winning = {offer.tie_wins.paragraph: offer for offer in offers if offer.tie_wins}
    assert list(winning) == [number for number in source.paragraphs if number.startswith("4.2.1.")]
    for number, offer in winning.items():
        text = source.paragraphs[number]
        assert re.search(rf"{offer.hand.title()} Insurance Bet is placed .*after (the )?Player's 3", text)
        assert offer.window == "third_card"
        points = [frozenset({int(n)}) for n in re.findall(r"Player Hand (?:of|having) (\d) point", text)]
        assert points == [offer.own if offer.hand == "player" else offer.other]
        totals = [range(int(a), int(b) + 1) for a, b in re.findall(r"Point Total of (\d) to (\d)", text)]
        assert [frozenset(t) for t in totals] == ([offer.own] if offer.hand == "banker" else [])


def test_the_other_terms_of_insurance_stand_where_cited(book: Rulebook, source: Source) -> None:
    if (part := book.insurance) is None:
        assert source.holding("Insurance Bet") == []
        return
    assert source.holding("insuring their") == [part.right.paragraph]
    assert source.holding("After the initial four") == [part.windows.paragraph]
    assert source.holding("two or three cards situations which") == [part.still_to_draw.paragraph]
    assert source.holding("not exceed the Original .* each time") == [part.original_bet.paragraph]
    assert source.holding("in a Tie, all Insurance") == [part.tie_returns.paragraph]
    assert source.holding("private gaming tables") == [part.private_table.cite.paragraph]
    (capped,) = source.holding(r"exceed \d+% of the maximum")
    limits = re.findall(r"Bet (\d+ to \d+) shall not exceed (\d+)%", source.paragraphs[capped])
    assert [(s.odds.spoken, s.share, s.cite.paragraph) for s in part.shares] == [
        (odds, Fraction(int(percent), 100), capped) for odds, percent in limits
    ]


def test_decks_values_and_order_are_those_of_the_text(book: Rulebook, source: Source) -> None:
    cards, words = book.cards, parse.NUMBER_WORDS
    (decks,) = source.holding("decks of cards, with each")
    ((fewest, most, deck),) = re.findall(r"(\w+) to (\w+) decks .* (\d+) cards", source.paragraphs[decks])
    assert cards.decks_cite.paragraph == decks
    assert (cards.fewest_decks, cards.most_decks, cards.deck) == (words[fewest], words[most], int(deck))
    (ace,) = source.holding(r"Ace .* value of 1 point")
    (face,) = source.holding(r"card from 2 to 10 .* face value")
    (picture,) = source.holding(r"Picture Card .* value of 0 point")
    printed = {"A": (1, ace), "T": (10, face), **{str(n): (n, face) for n in range(2, 10)}}
    printed |= dict.fromkeys("JQK", (0, picture))
    assert {r: (cards.points[r], cards.points_cite[r].paragraph) for r in cards.points} == printed
    assert source.holding("Point Total refers to .* second digit") == [cards.total_cite.paragraph]
    (order,) = source.holding("first and third cards .* Player .* second and fourth cards .* Banker")
    assert cards.order_cite.paragraph == order
    assert cards.order == ("player", "banker", "player", "banker")


def test_roles_stand_where_steps_cite_them(book: Rulebook, source: Source) -> None:
    """Every paragraph of section 5 that names a role is cited by a step of that role, and vice versa."""
    named = {(n, by) for n, text in source.section("5.").items() for by in ROLES if ROLES[by] in text}
    assert {(step.cite.paragraph, step.by) for step in steps(book) if step.by in ROLES} == named
    for step in steps(book):
        actor = {"house": "House", "dealer": "Dealer|Pit Employees"}.get(step.by, "")
        number = step.cite.paragraph
        begun = source.paragraphs[number.rpartition(".")[0]]  # Its sentence can begin above a list.
        assert re.search(actor, f"{begun} {source.paragraphs[number]}"), step
    for role in book.roles.values():
        text = source.paragraphs[role.cite.paragraph]
        assert ROLES.get(role.name, "") in text
        assert role.name in ROLES or parse.defined_terms(text) == [role.name.title()]


def test_discretion_stands_where_steps_cite_it(book: Rulebook, source: Source) -> None:
    """All steps of a paragraph have the discretion it words; unqualified is one it does not word."""
    section, word = source.section("5."), re.compile(r"\b(?:absolute|reasonable)\b")
    worded = {(number, found) for number, text in section.items() for found in word.findall(text)}
    places = {number for number, _ in worded}
    said = {(step.cite.paragraph, step.discretion) for step in steps(book)}
    given = {(number, found) for number, found in said if found != "none" or number in places}
    assert {(number, found) for number, found in given if found != "unqualified"} == worded
    assert not {number for number, found in given if found == "unqualified"} & places


def test_options_are_given_where_and_when_the_text_gives_them(book: Rulebook, source: Source) -> None:
    """Each paragraph that points to the options is cited by an irregularity; `when` is what it words."""
    section = parse.with_tails(source, "5.")
    (options,) = source.holding("shall have the option to")
    pointing = {n for n, text in section.items() if re.search(rf"options .* {options}(?!\.\d)\b", text)}
    given = [i.options for i in book.irregularities.values() if i.options]
    assert Counter(cite.paragraph for _, cite in given) == Counter(pointing | {options})
    for when, cite in given:
        text = section[cite.paragraph]
        assert [word for word, keywords in OPTIONS.items() if re.search(keywords, text)] == [when], cite


def test_squeeze_rights_and_waivers_are_those_of_the_text(book: Rulebook, source: Source) -> None:
    squeeze = book.squeeze
    right = source.paragraphs[squeeze.cite.paragraph]
    assert re.search(r"highest Bet .* squeeze", right)
    assert squeeze.right == ("seated_player" if "Seated Player" in right else "player")
    place = squeeze.waiver_cite.paragraph if squeeze.waiver_cite else ""
    assert source.holding("waived") == ([place] if place else [])
    text = source.paragraphs.get(place, "")
    asked = re.findall(r"to (?:permit him to )?(squeeze|expose) the Banker Hand 3", text)
    assert list(squeeze.waivers) == [f"{word}_banker_third_first" for word in asked]
