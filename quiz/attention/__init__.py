"""What is true: attention computed with NumPy. Knows nothing of questions."""
