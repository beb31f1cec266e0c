"""People of the house: accounts, devices, sessions, second factors."""
