"""Other people's formats, and our own progress on its way between machines."""
