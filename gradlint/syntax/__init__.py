"""Text in, tree out: source, comments, notebooks, and source newer than the running Python."""
