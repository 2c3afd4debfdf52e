"""Background work: resumes interrupted sagas, compares pots and seats, restores and deletes rows."""
