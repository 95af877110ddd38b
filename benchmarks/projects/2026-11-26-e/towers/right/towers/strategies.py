from .registry import STRATEGIES


class Strategy:
    def __init__(self, every):
        self.every = every

    def backward(self, loss):
        loss.backward()

    def due(self, n, total):
        raise NotImplementedError


@STRATEGIES.register("single")
class Single(Strategy):
    def __init__(self, every=1):
        super().__init__(1)

    def backward(self, loss):
        loss.backward()

    def due(self, n, total):
        return True


@STRATEGIES.register("mean")
class WindowMean(Strategy):
    def backward(self, loss):
        (loss / self.every).backward()

    def due(self, n, total):
        return n % self.every == 0 or n == total


@STRATEGIES.register("window")
class Window(Strategy):
    def backward(self, loss):
        super().backward(loss / self.every)

    def due(self, n, total):
        return n % self.every == 0 or n == total
