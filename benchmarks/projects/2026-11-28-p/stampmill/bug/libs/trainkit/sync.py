from contextlib import nullcontext


def gate(model, ready):
    """Let DDP reduce in this micro-batch if ready, and only then."""
    return nullcontext() if ready else model.no_sync()


class Count:
    def __init__(self, size, batches):
        self.size, self.batches = size, batches

    def full(self, i):
        return (i + 1) % self.size == 0

    def due(self, i):
        return self.full(i) or i + 1 == self.batches
