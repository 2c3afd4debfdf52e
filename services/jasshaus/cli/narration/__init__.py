"""A match told to a person: the sentences, and who speaks them."""
