"""The widgets that several screens share, or that are worth a test of their own."""
