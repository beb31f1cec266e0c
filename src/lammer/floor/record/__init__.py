"""The record of the house: an append-only store of every table's events, on SQLite or PostgreSQL.

`opening.open_store` gives a `contract.Store`; whoever only reads asks `opening.open_record`. The store knows
tables by name and events as bytes; what they mean is not its business.
"""
