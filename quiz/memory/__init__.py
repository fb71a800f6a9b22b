"""What the learner knows: the review log, FSRS, the queue, the figures."""
