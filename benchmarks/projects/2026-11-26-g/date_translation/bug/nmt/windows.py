def closes(position, length, total):
    """Whether the batch at `position` is the last one of its window."""
    return position % length == length - 1
