"""One round as pure functions of cards, bets and a rulebook.

No IO, no clock, no randomness: the order of the cards comes from outside, and the same input gives the
same cents for ever. People, time and the table's money belong to the rooms above.
"""
