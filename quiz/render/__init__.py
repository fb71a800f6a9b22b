"""Text shaping without widgets: numbers, durations, charts."""
