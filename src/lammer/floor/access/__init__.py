"""Who may come in, and as what: accounts, passwords, links, second factors, sessions, keys of devices."""
