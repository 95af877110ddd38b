import torch

VOCAB, LONG = 14, 8


def date_batches(count, size=12):
    """Day, month and year as digits; the target is the reversed order."""
    batches = []
    for _ in range(count):
        source = torch.randint(1, 11, (size, LONG))
        batches.append((source, source.flip(1)))
    return batches
