"""The rules as pages, and the workbench where a rulebook is written."""
