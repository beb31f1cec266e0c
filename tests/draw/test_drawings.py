"""The drawings: well-formed, the same every time, saying what they should and nothing that lies face down."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, strategies as st

from lammer import Card, Refused, draw, parse_cards, rulebook
from lammer.draw import Chip, Svg
from lammer.game.cards import DECK
from lammer.game.hands import Hand
from lammer.game.roads import Result, roads
from lammer.rulebook.vocabulary import SIDES, Side
from lammer.shelf import shipped_ids
from lammer.wording.pictures import picture_words

BOOK = rulebook("tiger-buffalo-noncommission-insurance@3")
NAMESPACE = "{http://www.w3.org/2000/svg}"
PLACES: list[tuple[Side, int]] = [(side, index) for side in SIDES for index in range(3)]


def hand(cards: str, points: int) -> Hand:
    return Hand(parse_cards(cards), points)


def parsed(picture: Svg) -> ElementTree.Element:
    """The picture as XML, once it holds what every picture must."""
    root = ElementTree.fromstring(picture)
    assert root.tag == f"{NAMESPACE}svg"
    width, height = root.get("width"), root.get("height")
    assert root.get("viewBox") == f"0 0 {width} {height}"
    assert root[0].tag == f"{NAMESPACE}title"
    assert root[0].text
    for element in root.iter():
        assert not element.attrib.keys() & {"style", "class", "id", "href", "onclick", "onload"}
        assert element.tag.removeprefix(NAMESPACE) not in ("script", "style", "image", "a", "use")
    assert re.findall(r"https?:", picture) == ["http:"]
    return root


def texts(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{NAMESPACE}text")]


def titles(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{NAMESPACE}title")]


@pytest.mark.parametrize("card", DECK)
def test_every_card_has_its_own_picture(card: Card) -> None:
    root = parsed(draw.card(card))
    assert texts(root) == [card[0].replace("T", "10")] * 2
    assert sum(draw.card(other) == draw.card(card) for other in DECK) == 1


def test_card_names_in_both_languages() -> None:
    assert titles(parsed(draw.card(Card("TD")))) == ["10 of diamonds"]
    assert titles(parsed(draw.card(Card("QS"), words=picture_words("zh")))) == ["黑桃Q"]


def test_a_card_face_down_is_any_card() -> None:
    assert len({draw.card(card, face_down=True) for card in DECK}) == 1
    assert texts(parsed(draw.card(Card("AS"), face_down=True))) == []


def test_what_is_no_card_is_not_drawn() -> None:
    with pytest.raises(Refused, match="not_a_card"):
        draw.card(Card("<script>"))


def test_hands_show_their_cards_and_totals() -> None:
    picture = draw.hands(hand("7S KH", 7), hand("2D 3C 4D", 9))
    root = parsed(picture)
    assert texts(root) == ["Player", "7", *"77KK", "Banker", "9", *"223344"]
    assert titles(root) == [
        "Player 7: 7 of spades, King of hearts. Banker 9: 2 of diamonds, 3 of clubs, 4 of diamonds."
    ]


def test_third_cards_lie_sideways() -> None:
    def turned(picture: Svg) -> int:
        return picture.count("rotate(90)")

    assert turned(draw.hands(hand("7S KH", 7), hand("2D 3C 4D", 9))) == 1
    assert turned(draw.hands(hand("2S 3H 4C", 9), hand("2D 3C 4D", 9))) == 2
    assert turned(draw.hands(hand("7S KH", 7), hand("8D KC", 8))) == 0


def test_hands_in_chinese() -> None:
    root = parsed(
        draw.hands(hand("7S KH", 7), hand("2D 3C", 5), words=picture_words("zh"), hidden={("banker", 0)})
    )
    assert titles(root) == ["闲 7 点：黑桃7、红心K。庄：暗牌、梅花3。"]
    assert {"闲", "庄"} <= set(texts(root))


def test_hands_not_dealt_yet() -> None:
    root = parsed(draw.hands(Hand((), 0), Hand((), 0)))
    assert texts(root) == ["Player", "Banker"]
    assert titles(root) == ["Player: no cards. Banker: no cards."]


@pytest.mark.parametrize("place", PLACES)
def test_a_hidden_card_leaves_no_trace(place: tuple[Side, int]) -> None:
    """Whatever card lies there, and whatever it makes the total, the picture is the same to the byte."""
    pictures = set()
    for points, card in enumerate(DECK):
        hands = {"player": ["2S", "3H", "4C"], "banker": ["2D", "3C", "4D"]}
        hands[place[0]][place[1]] = card
        dealt = {side: Hand(parse_cards(cards), 9) for side, cards in hands.items()}
        dealt[place[0]] = Hand(dealt[place[0]].cards, points % 10)
        pictures.add(draw.hands(dealt["player"], dealt["banker"], hidden={place}))
    assert len(pictures) == 1


def test_a_hidden_rank_is_nowhere_to_be_read() -> None:
    root = parsed(draw.hands(hand("KS 6H", 6), hand("2D 3C", 5), hidden=[("player", 0)]))
    said = " ".join([*texts(root), *titles(root)])
    assert not re.search(r"K\b|King|spades", said)
    assert "a card face down" in said
    assert texts(root) == ["Player", "6", "6", "Banker", "5", *"2233"]


def test_hiding_everything_hides_only_what_is_there() -> None:
    root = parsed(draw.hands(hand("KS 6H", 6), hand("2D 3C", 5), hidden=PLACES))
    assert texts(root) == ["Player", "Banker"]
    assert titles(root)[0].count("face down") == 4


@pytest.mark.parametrize("place", [("dealer", 0), ("player", 3), ("banker", -1)])
def test_a_place_no_hand_has_is_a_slip_and_not_a_card_shown(place: tuple[Side, int]) -> None:
    with pytest.raises(ValueError, match="no hand has a place"):
        draw.hands(hand("KS 6H", 6), hand("2D 3C", 5), hidden={place})


def test_a_hand_of_four_is_no_hand() -> None:
    with pytest.raises(ValueError, match="at most three cards"):
        draw.hands(hand("KS 6H 2D 3C", 1), hand("2D 3C", 5))


@pytest.mark.parametrize("name", shipped_ids())
def test_every_layout_shows_every_bet_it_offers(name: str) -> None:
    book = rulebook(name)
    for appendix, layout in book.layouts.items():
        for language in ("en", "zh"):
            root = parsed(draw.felt(book, appendix, [], boxes=[1], words=picture_words(language)))
            for bet in book.offered(layout):
                title = bet.title_zh if language == "zh" else bet.title
                assert title in texts(root), (appendix, bet.name)
                assert any(told.endswith(title) for told in titles(root))


def test_all_boxes_are_drawn_unless_some_are_asked_for() -> None:
    def numbers(picture: Svg) -> list[str]:
        return [told for told in texts(parsed(picture)) if told.isdigit()]

    assert numbers(draw.felt(BOOK, "A", [])) == [str(box) for box in range(1, 7)]
    assert numbers(draw.felt(BOOK, "K", [])) == [str(box) for box in range(1, 17)]
    assert numbers(draw.felt(BOOK, "K", [], boxes=range(2, 5))) == ["2", "3", "4"]
    assert numbers(draw.felt(BOOK, "K", [], boxes=[])) == []


def test_chips_lie_on_their_own_bet() -> None:
    chips = [
        Chip("p1", 2, "banker", 1500_00),
        Chip("p1", 2, "banker", 500_00),
        Chip("p2", 2, "banker", 47_50),
        Chip("p1", 3, "big_tiger", 25_00),
    ]
    root = parsed(draw.felt(BOOK, "A", chips))
    assert {"2,000", "47.50", "25"} <= set(texts(root))
    told = titles(root)
    assert "Box 2, Banker: p1 2,000, p2 47.50" in told
    assert "Box 3, Big Tiger: p1 25" in told
    assert "Box 3, Banker" in told
    assert told[0].endswith("layout A. Box 2, Banker: p1 2,000, p2 47.50. Box 3, Big Tiger: p1 25.")


def test_players_without_room_share_a_stack_and_are_still_named() -> None:
    chips = [Chip(f"p{number}", 1, "player", number * 100_00) for number in range(1, 5)]
    root = parsed(draw.felt(BOOK, "A", chips, boxes=[1]))
    assert {"100", "900", "×3"} <= set(texts(root))
    assert "Box 1, Player: p1 100, p2 200, p3 300, p4 400" in titles(root)


def test_chips_in_boxes_not_drawn_stay_out() -> None:
    picture = draw.felt(BOOK, "A", [Chip("secret", 5, "tie", 777_00)], boxes=[1, 2])
    assert "secret" not in picture
    assert "777" not in picture


def test_the_felt_in_chinese() -> None:
    root = parsed(draw.felt(BOOK, "A", [Chip("p1", 1, "player_pair", 25_00)], words=picture_words("zh")))
    assert "1 号位，闲对：p1 25" in titles(root)
    assert {"庄", "闲", "和", "大老虎"} <= set(texts(root))
    assert "Banker" not in texts(root)


@pytest.mark.parametrize(
    ("chip", "layout", "code"),
    [
        (Chip("p1", 7, "banker", 100), "A", "no_such_box"),
        (Chip("p1", 0, "banker", 100), "A", "no_such_box"),
        (Chip("p1", 1, "wu_dalang", 100), "A", "not_on_this_layout"),
        (Chip("p1", 1, "red", 100), "A", "unknown_bet"),
        (Chip("p1", 1, "banker", 100), "Z", "unknown_layout"),
    ],
)
def test_chips_that_cannot_lie_there_are_refused(chip: Chip, layout: str, code: str) -> None:
    with pytest.raises(Refused, match=code):
        draw.felt(BOOK, layout, [chip])


def test_a_name_is_text_and_never_markup() -> None:
    name = '<script>alert("x")</script>&amp;\''
    picture = draw.felt(BOOK, "A", [Chip(name, 1, "banker", 100)], boxes=[1])
    assert "<script" not in picture
    assert f"Box 1, Banker: {name} 1" in titles(parsed(picture))


@given(st.text(min_size=1, max_size=60))
def test_no_name_breaks_the_picture(name: str) -> None:
    parsed(draw.felt(BOOK, "A", [Chip(name, 1, "banker", 100)], boxes=[1]))


def shoe(letters: str) -> list[Result]:
    winners = {"B": "banker", "P": "player", "T": "tie"}
    return [Result(winners[letter], letter == "P", letter == "B", 8) for letter in letters]  # type: ignore[arg-type]


@pytest.mark.parametrize("letters", ["", "T", "TTB", "BP" * 60, "B" * 70, "BBPTPPPBTTBPBBBBBBBBPPB"])
def test_the_board_holds_all_five_roads(letters: str) -> None:
    made = roads(shoe(letters))
    root = parsed(draw.roads(made))
    headings = {"Bead plate", "Big road", "Big eye boy", "Small road", "Cockroach pig"}
    assert headings <= set(texts(root))
    assert "".join(told for told in texts(root) if told in {"B", "P", "T"}) == letters
    counted = [letters.count(each) for each in "BPT"]
    assert titles(root)[0] == "Roads after {} rounds: Banker {}, Player {}, Tie {}".format(
        len(letters), *counted
    )


@pytest.mark.parametrize("letters", ["BP" * 60, "B" * 100, "T" * 100, "BBPPPBPBBBBBBBBBBBPPPPPPPPPPBP" * 3])
def test_nothing_is_drawn_beside_the_board(letters: str) -> None:
    root = parsed(draw.roads(roads(shoe(letters))))
    width, height = float(root.get("width", "0")), float(root.get("height", "0"))

    def walk(element: ElementTree.Element, x: float, y: float) -> None:
        moved = re.match(r"translate\(([\d.-]+) ([\d.-]+)\)", element.get("transform", ""))
        if moved:
            x, y = x + float(moved[1]), y + float(moved[2])
        if element.tag in (f"{NAMESPACE}circle", f"{NAMESPACE}rect"):
            assert 0 <= x <= width
            assert 0 <= y <= height
            assert x + float(element.get("width", 0)) <= width
            assert y + float(element.get("height", 0)) <= height
        for child in element:
            walk(child, x, y)

    walk(root, 0, 0)


def test_the_board_tells_each_round() -> None:
    told = titles(parsed(draw.roads(roads(shoe("BPT")))))
    assert told[1:] == ["Round 1: Banker 8, Banker pair", "Round 2: Player 8, Player pair", "Round 3: Tie 8"]


def test_the_board_in_chinese() -> None:
    root = parsed(draw.roads(roads(shoe("BPT")), words=picture_words("zh")))
    assert {"珠盘路", "大路", "大眼仔路", "小路", "曱甴路", "庄", "闲", "和"} <= set(texts(root))
    assert titles(root)[0] == "3 局后的路单：庄 1，闲 1，和 1"


def test_the_same_input_gives_the_same_bytes() -> None:
    chips = [Chip("p1", 2, "banker", 1500_00), Chip("p2", 1, "tie", 5)]
    pictures = [
        (
            draw.card(Card("AS")),
            draw.hands(hand("7S KH", 7), hand("2D 3C 4D", 9), hidden=set(order)),
            draw.felt(BOOK, "A", chips),
            draw.roads(roads(shoe("BBPTPPPBTTBP"))),
        )
        for order in (PLACES[1:5], PLACES[4:0:-1])
    ]
    assert pictures[0] == pictures[1]


def test_notebooks_and_templates_take_the_picture_as_it_is() -> None:
    picture = draw.card(Card("AS"))
    assert picture._repr_svg_() == picture.__html__() == str(picture)


def test_draw_opens_only_on_the_rules_the_game_and_the_roads() -> None:
    allowed = ("lammer.rulebook", "lammer.game", "lammer.game.roads", "lammer.draw")
    for file in Path(draw.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("lammer"):
                assert node.module.startswith(allowed), (file.name, node.module)


def test_side_bets_that_won_are_marked_on_the_roads() -> None:
    tiger, buffalo = draw.Hit("1", "Big Tiger"), draw.Hit("4", "Small Buffalo")
    many = [draw.Hit(str(number), f"bet {number}") for number in range(1, 6)]
    root = parsed(draw.roads(roads(shoe("BPTB")), hits=[[tiger], [], many, [tiger, buffalo]]))
    told = titles(root)
    assert told[1] == "Round 1: Banker 8, Banker pair, Big Tiger"
    assert told[2] == "Round 2: Player 8, Player pair"
    assert told[4] == "Round 4: Banker 8, Banker pair, Big Tiger, Small Buffalo"
    beads = [
        bead
        for bead in root.iter(f"{NAMESPACE}g")
        if (bead.findtext(f"{NAMESPACE}title") or "")[:5] == "Round"
    ]
    assert [texts(bead)[1:] for bead in beads] == [["1"], [], ["1·2·3+"], ["1·4"]]
    # On the big road a dot for each win with a hit; the tie has no place of its own there.
    gold = [dot for dot in root.iter(f"{NAMESPACE}circle") if dot.get("fill") == "#f2d488"]
    assert len(gold) == 2
    assert draw.roads(roads(shoe("BPTB"))) == draw.roads(roads(shoe("BPTB")), hits=[[], [], [], []])


@pytest.mark.parametrize("letters", ["", "T", "TTB", "BP" * 60, "B" * 70, "BBPTPPPBTTBPBBBBBBBBPPB"])
def test_the_mini_road_is_small_and_shows_the_end_of_the_shoe(letters: str) -> None:
    picture = draw.mini_road(roads(shoe(letters)))
    root = parsed(picture)
    assert titles(root)[0].startswith(f"Roads after {len(letters)} rounds")
    assert len(picture) < 6_000
    width = float(root.get("width", "0"))
    places = [float(x) for x in re.findall(r"M([\d.-]+) [\d.]+a4", picture)]
    assert all(0 <= x < width for x in places)
    if letters == "BP" * 60:
        assert max(places) > width - 12, "the newest is at the end"


def test_a_line_over_decks_says_each_value() -> None:
    root = parsed(draw.line_chart([("4", 2.0, "2%"), ("6", 1.0, "1%"), ("8", 0.5, "0.5%")], title="Tie"))
    assert titles(root) == ["Tie", "4: 2%", "6: 1%", "8: 0.5%"]
    heights = [float(dot.get("cy", "0")) for dot in root.iter(f"{NAMESPACE}circle")]
    assert heights == sorted(heights), "what is less lies lower"
    level = parsed(draw.line_chart([("4", 1.0, "1%"), ("8", 1.0, "1%")], title="Tie"))
    assert len({dot.get("cy") for dot in level.iter(f"{NAMESPACE}circle")}) == 1
