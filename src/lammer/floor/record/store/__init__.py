"""The two databases behind the contract: opening, reading, the one writer, and turns at a table."""
