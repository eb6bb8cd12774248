"""Rerankers: run to run, a permutation of the first n."""
