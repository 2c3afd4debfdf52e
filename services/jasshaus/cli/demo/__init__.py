"""`jasshaus demo`: one match over the public API, its players, and the books afterwards."""
