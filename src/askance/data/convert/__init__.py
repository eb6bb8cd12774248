"""Runs and judgments to and from what other tools hold them in: one tool a file, `anything` tells them apart."""
