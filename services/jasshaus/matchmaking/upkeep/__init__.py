"""What runs by itself: it resumes interrupted sagas, compares pots and seats, restores and deletes rows."""
