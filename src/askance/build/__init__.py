"""Makes collections: small ones for when no data can be had."""
