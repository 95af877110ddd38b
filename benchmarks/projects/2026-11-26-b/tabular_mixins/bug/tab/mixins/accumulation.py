class AccumulationMixin:
    """Steps once for several batches."""

    accumulation = 1

    def closes(self, index):
        return (index + 1) % self.accumulation == 0 or index + 1 == self.total_batches

    def backward(self, loss):
        super().backward(loss / self.accumulation)

    def optimizer_step(self, index):
        if self.closes(index):
            self.optimizer.step()
