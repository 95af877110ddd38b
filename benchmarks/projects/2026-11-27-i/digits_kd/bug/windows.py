def closes(i, accum, total):
    """Whether the update follows micro-batch number i of an epoch."""
    return i % accum == 0 or i + 1 == total
