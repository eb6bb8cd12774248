"""Why it fails: where each query was lost, and what would have to change."""
