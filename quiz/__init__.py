"""Get ready for the attention part of an LLM interview, in a terminal."""
