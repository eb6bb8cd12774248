"""Systems compared on the same queries: paired differences, tests, corrections, groups, slices."""
