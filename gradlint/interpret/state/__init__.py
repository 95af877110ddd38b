"""State of a run in small parts, each of which goes to who needs it."""
