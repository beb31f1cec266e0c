"""A player's table, and what they played before."""
