from .registry import STRATEGIES


@STRATEGIES.register("plain")
class PlainStrategy:
    def backward(self, loss):
        loss.backward()

    def ready(self, count):
        return True


@STRATEGIES.register("accumulate")
class AccumulateStrategy:
    def __init__(self, every):
        self.every = every

    def backward(self, loss):
        (loss / self.every).backward()

    def ready(self, count):
        return count % self.every == 0
