"""Terminal tables, charts, one HTML page."""
