class Window:
    """Counts micro-batches, and closes an update."""

    def __init__(self, optimizer, length):
        self.optimizer, self.length, self.held = optimizer, length, 0

    def add(self):
        self.held += 1
        return self.held == self.length

    def close(self):
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.held = 0
