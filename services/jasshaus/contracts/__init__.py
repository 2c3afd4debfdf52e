"""Maps shared messages to the rules' values; imports only the API and the rules."""
