def windows(batches, size):
    """Each batch, and whether a window of micro-batches ends with it."""
    for number, batch in enumerate(batches, start=1):
        yield batch, number % size == 0
