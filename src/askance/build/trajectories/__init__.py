"""Benchmarks of procedural memory from the logs of agents."""
