"""What each reader may see of a table, now and of its past. Nothing else hides anything."""
