"""askance finds what a retriever overlooks, and measures how much."""

__version__ = "0.1.0"
