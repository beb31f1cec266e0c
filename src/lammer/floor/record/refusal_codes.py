"""What the record refuses, and why it cannot be opened, read or written."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

CODES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "sqlite_too_old": "The SQLite that was found can damage its own log.",
        "unknown_database": "The record is kept in a SQLite file or in PostgreSQL.",
        "database_missing": "There is no database to read.",
        "database_in_use": "A SQLite file belongs to one process at a time.",
        "database_not_ours": "The database holds tables Lammer did not make.",
        "database_too_new": "A later Lammer made this database.",
        "database_out_of_date": "An earlier Lammer made this database, and nothing may be changed now.",
        "database_not_empty": "A backup is restored into an empty database.",
        "server_not_durable": "The database server is set up to lose what it acknowledged.",
        "backup_damaged": "The backup is not whole, or was changed.",
        "key_exposed": "A private key can be read by others.",
        "record_damaged": "What is read from the record is not what was written to it.",
        "clock_in_doubt": "The clock is far from the latest time in the record; a person has to look.",
        "checkpoints_disagree": "The checkpoint file knows more than the record does.",
        "key_reused": "An idempotency key belongs to one request.",
        "table_held_elsewhere": "Another process decides for this table now.",
        "table_moved_on": "The table has moved on since this was decided.",
        "store_unavailable": "The record cannot be reached or written just now.",
        "unknown_table": "There is no such table in the house.",
        "table_exists": "There is a table of that name already.",
        "unknown_test": "There is no such test of training.",
        "chips_not_counted": "In this house nobody counts chips; there is no purse to bring them from.",
        "not_in_log": "The log of the house has no such tile, or no checkpoint yet.",
        "not_logged_yet": "What was asked about is not in the log of the house yet.",
        "evidence_closed": "What opens these entries of the log is not on this machine.",
        "shoe_not_over": "The shoe is still in use; what opens its events is given out when it has ended.",
        "unknown_stop": "There is no such stop of gaming.",
    }
)
