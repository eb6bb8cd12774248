"""Words of a text: analyzer, token classes, lexical likeness."""
