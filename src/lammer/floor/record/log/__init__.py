"""The one log of the house: what goes into it, what is served of it, and who signed it."""
