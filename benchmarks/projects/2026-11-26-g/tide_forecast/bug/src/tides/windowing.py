def windows(batches, size):
    """Groups the batches of an epoch into lists of `size`."""
    held = []
    for batch in batches:
        held.append(batch)
        if len(held) == size:
            yield held
            held = []
    if held:
        yield held
