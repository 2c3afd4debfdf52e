"""A saved match, judged decision by decision."""
