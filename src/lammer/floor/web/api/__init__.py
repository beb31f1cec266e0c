"""The house's API: one vocabulary of commands, queries, live streams, and errors that name the paragraph."""
