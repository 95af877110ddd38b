"""Training loops that tempt a repair into harm, run as written, as meant and as repaired."""
