"""The terminal screens; the only room that imports textual."""
