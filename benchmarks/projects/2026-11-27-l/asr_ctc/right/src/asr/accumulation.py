class Accumulator:
    """Tells where a window of micro-batches ends."""

    def __init__(self, size: int, batches: int) -> None:
        self.size = size
        self.batches = batches

    def weigh(self, loss):
        return loss / self.size

    def complete(self, index: int) -> bool:
        return (index + 1) % self.size == 0 or index + 1 == self.batches
