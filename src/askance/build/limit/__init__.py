"""Collections of who likes what, in the manner of LIMIT, of any size and from lists of the package."""
