"""Retrievers: queries to run."""
