"""Training: items, table tests, the trainer's page."""
