"""Documents split into name, relation and items, by a schema."""
