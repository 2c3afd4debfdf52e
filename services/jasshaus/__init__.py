"""jasshaus: a backend for hosting Jass; see docs/architecture.md."""
