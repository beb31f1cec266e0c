"""What every page shares: how it is rendered, for whom and by which clock, coming in, refusals."""
