class Window:
    """Counts micro-batches, and closes an update."""

    def __init__(self, optimizer, length):
        self.optimizer, self.length, self.held = optimizer, length, 0

    def add(self):
        self.held += 1
        return self.held == self.length

    def close(self):
        for group in self.optimizer.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.grad.div_(self.held)
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.held = 0
