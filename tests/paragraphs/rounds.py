"""Literal rounds that the clause proofs share, named by what they are: `player / banker`."""

B6_TWO = "KS 2H 2D / KD 6C"
B6_THREE = "AS KH 4D / 2D 3C AD"
B7_TWO = "KS 2H 2D / KD 7C"
B7_THREE = "AS KH 4D / 2D 3C 2S"
P6_TWO = "KS 6H / 2D 2C AD"
P6_THREE = "AS KH 5D / KD 5C KH"
P7_TWO = "KS 7H / 2D 2C AD"
P7_THREE = "AS KH 6D / KD 4C AC"
B6_LOSES_TO_7 = "KS 7H / KD 6C"
P6_LOSES_TO_7 = "KS 6H / KD 7C"
P7_LOSES_TO_8 = "KS 7H / KD 8C"
B7_LOSES_TO_8 = "KS 8H / KD 7C"

TIES = {
    0: "KS QH JD / KC QD JS",
    1: "KS QH AD / KC QD AS",
    2: "KS QH 2D / KC QD 2S",
    3: "KS QH 3D / KC QD 3S",
    4: "KS QH 4D / KC QD 4S",
    5: "KS QH 5D / KC QD 5S",
    6: "KS 6H / KD 6C",
    7: "KS 7H / KD 7C",
    8: "KS 8H / KD 8C",
    9: "KS 9H / KD 9C",
}
TIE_6_THREE = "KS QH 6D / KC QD 6S"
TIE_7_THREE = "KS QH 7D / KC QD 7S"

BANKER_WINS = {
    1: "KS QH JD / KC QD AS",
    2: "KS QH JD / KC QD 2S",
    3: "KS QH JD / KC QD 3S",
    4: "KS QH JD / KC QD 4S",
    5: "KS QH JD / KC QD 5S",
    6: "KS QH JD / KC QD 6S",
    7: "KS QH JD / KC QD 7S",
    8: "KS QH JD / KC QD 8S",
    9: "KS QH JD / KC QD 9S",
}
PLAYER_WINS = {
    1: "KS QH AD / KC QD JS",
    2: "KS QH 2D / KC QD JS",
    3: "KS QH 3D / KC QD JS",
    4: "KS QH 4D / KC QD JS",
    5: "KS QH 5D / KC QD JS",
    6: "KS QH 6D / KC QD JS",
    7: "KS QH 7D / KC QD JS",
    8: "KS QH 8D / KC QD JS",
    9: "KS QH 9D / KC QD JS",
}

BANKER_BY_ONE = {
    (7, 4): "KS 6H / KD 7C",
    (7, 5): "KS 6H / 2D 3C 2S",
    (7, 6): "AS KH 5D / 2D 3C 2S",
    (8, 4): "KS 7H / KD 8C",
    (8, 5): "KS 7H / 2D 3C 3S",
    (8, 6): "AS KH 6D / 2D 3C 3S",
    (9, 4): "KS 8H / KD 9C",
    (9, 6): "AS KH 7D / 2D 3C 4S",
}
PLAYER_BY_ONE = {
    (7, 4): "KS 7H / KD 6C",
    (7, 5): "KS 7H / 2D 3C AS",
    (7, 6): "AS KH 6D / KD 4C 2S",
    (8, 4): "KS 8H / KD 7C",
    (8, 5): "KS 4H 4D / KD 7C",
    (8, 6): "AS KH 7D / KD 4C 3S",
    (9, 4): "KS 9H / KD 8C",
    (9, 6): "AS KH 8D / KD AC 7S",
}

NO_PAIR = "TS KH 4D / 2D 3C AD"
PLAYER_PAIR = "9S 9H / KD 7C"
PLAYER_PAIR_LOSES = "KS KH 2D / KD 7C"
BANKER_PAIR = "KS 2H 2D / 3D 3C"
BANKER_PAIR_LOSES = "KS 9H / 3D 3C"
DOUBLE_PAIR = "KS KH 2D / QD QC 3S"
TWIN_PAIR = "KS KH 2D / KD KC 3S"
PAIR_ON_TIE = "KS KH 2D / QD TC 2S"
