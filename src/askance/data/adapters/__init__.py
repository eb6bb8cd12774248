"""The public collections: from the files as they are published to a Collection each."""
