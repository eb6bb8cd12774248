"""Metrics, chance, intervals, paired tests, share of gap, taxonomy, sign."""
