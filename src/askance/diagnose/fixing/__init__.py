"""The smallest change to a system whose gain holds on queries that had no part in choosing it."""
