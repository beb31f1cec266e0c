"""The dealer's academy: questions made by the engine that runs the floor, and graded by it.

Pure like the rooms beneath it: the seed, the time and the answers come from outside. Nothing is asked from a
list: an item is a situation worked out under a rulebook, also under one of yours, and what that rulebook has
no rule for is not asked.
"""
