"""Mathematics: exact first. Counts are integers and edges are fractions, from any composition of the shoe."""

from lammer.lab.exact.composition import Composition
from lammer.lab.exact.edges import Analysis, BetEdge, InsuranceEdge, edges

__all__ = ["Analysis", "BetEdge", "Composition", "InsuranceEdge", "edges"]
