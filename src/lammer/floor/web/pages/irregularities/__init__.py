"""What went wrong at a table, in plain words, and the rule's own steps."""
