"""One showing: a question and a seed make a variant, a text becomes a mark."""
