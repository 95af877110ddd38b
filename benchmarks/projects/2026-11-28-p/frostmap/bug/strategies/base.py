from contextlib import nullcontext


class Strategy:
    def __init__(self, optimizer):
        self.optimizer = optimizer

    def begin(self, i):
        raise NotImplementedError

    def cast(self):
        return nullcontext()

    def backward(self, loss):
        loss.backward()

    def ready(self, i, batches):
        return True

    def step(self):
        self.optimizer.step()

    def end_epoch(self):
        pass
