"""One metric a file: what it is, how a query's value is computed, and what a random ranking gets."""
