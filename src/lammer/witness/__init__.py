"""A witness: a small program of its own that sees how a log grows, remembers it, and signs that it only grew.

For a regulator, an auditor, a second site. It speaks C2SP tlog-witness with any log of that kind, and needs
neither the house's database nor its key.
"""
