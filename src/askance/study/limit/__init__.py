"""What the reproductions of LIMIT measure besides their studies: how phrase search goes wrong, and what mends it."""
