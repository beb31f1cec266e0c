"""The tables in play: which process decides for which, how a command becomes events on disk, who is told."""
