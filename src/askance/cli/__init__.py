"""The command line: one thin file per verb; no logic."""
