class Accumulator:
    """Collects gradients of `size` batches for one update."""

    def __init__(self, optimizer, size):
        self.optimizer, self.size = optimizer, size
        self.pending = 0
        self.updates = 0

    def add(self, loss):
        (loss / self.size).backward()
        self.pending += 1
        if self.pending == self.size:
            self.flush()

    def flush(self):
        if self.pending:
            if self.pending < self.size:
                for group in self.optimizer.param_groups:
                    for p in group["params"]:
                        if p.grad is not None:
                            p.grad.mul_(self.size / self.pending)
            self.optimizer.step()
            self.optimizer.zero_grad(set_to_none=True)
            self.updates += 1
        self.pending = 0
