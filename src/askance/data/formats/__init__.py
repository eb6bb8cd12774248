"""Formats that collections, judgments and runs are read from and written to."""
