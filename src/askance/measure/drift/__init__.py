"""What changes when the same model is served another way: vectors, ranks, and the decisions that hang on them."""
