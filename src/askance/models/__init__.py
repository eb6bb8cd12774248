"""Embedders and language models behind small protocols; the ledger."""
