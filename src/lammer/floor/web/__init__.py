"""The house over HTTP: its API and its pages."""
