"""Whole shoes dealt by the million, on threads, a GPU or a cluster; held against the exact."""
