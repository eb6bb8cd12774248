"""The query language: its tree, how it is read and printed, how a question becomes one. Knows no engine."""
