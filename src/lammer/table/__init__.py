"""People, time and money around the game; still pure."""
