"""Owns how messages that services share map to the rules' values; imports the api and the rules only."""
