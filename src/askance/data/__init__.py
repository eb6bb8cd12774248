"""Collections, judgments and runs: immutable, columnar; and the formats they come in."""
