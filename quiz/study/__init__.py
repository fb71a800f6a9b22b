"""A sitting, as a state machine without screen, clock or disk of its own."""
