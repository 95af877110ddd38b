from .base import Strategy


class WindowedStrategy(Strategy):
    def __init__(self, optimizer, window):
        super().__init__(optimizer)
        self.window = window

    def begin(self, i):
        if i % self.window == 0:
            self.optimizer.zero_grad()

    def backward(self, loss):
        (loss / self.window).backward()

    def ready(self, i, batches):
        return (i + 1) % self.window == 0 or i + 1 == batches
