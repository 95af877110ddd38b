"""One module a topic; each has `cases()`, which yields the loops of its skeletons."""
