"""Abstracted views: slots learned from a collection, and texts in which they stand for their words."""
