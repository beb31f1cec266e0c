"""Where to sit, stand or watch: the lobby, several tables on one page, the board above a table."""
