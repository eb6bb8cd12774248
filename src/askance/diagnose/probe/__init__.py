"""What a retriever reads: one class of words changed at a time, and what becomes of its hits."""
