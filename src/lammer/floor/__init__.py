"""The running house: everything with a disk, a network or a clock. Only the command line imports it."""
