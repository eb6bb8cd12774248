"""What a phrase search over one text field will get wrong, foretold from the collection alone."""
