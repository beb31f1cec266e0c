"""Everything the record says, worked out anew and held against it."""
