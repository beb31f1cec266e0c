"""Exact counts and edges: integers and fractions, from any composition of the shoe."""
