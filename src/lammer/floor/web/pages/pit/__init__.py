"""The pit: the wall of tables, approvals, set-ups, reports, and the switch that stops gaming."""
