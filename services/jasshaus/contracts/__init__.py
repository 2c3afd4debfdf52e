"""Maps messages that services share to the rules' values; imports the api and the rules only."""
