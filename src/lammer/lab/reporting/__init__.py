"""Charts, checks and the report a laboratory files."""
