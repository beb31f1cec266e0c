"""What a player makes who knows every card gone."""
