"""Is a pack fit to ship: rules over its text and proofs over its drawn spaces."""
