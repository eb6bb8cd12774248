"""Where a query runs."""
