"""Charts as inline SVG: one question each, one file each."""
