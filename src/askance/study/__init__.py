"""The study file, its execution, its results, published figures."""
