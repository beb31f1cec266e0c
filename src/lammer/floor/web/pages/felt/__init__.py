"""What every screen of a table shows: the felt in pictures, notices, what a round came to."""
