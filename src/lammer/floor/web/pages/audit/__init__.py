"""Finding, reading and verifying rounds of the past."""
