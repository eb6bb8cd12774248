"""The rules that turn figures into sentences, one file each. None knows a collection: words come from its labels."""
