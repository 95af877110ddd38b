from collections import deque

from twin.types import StepOut


class Running:
    def __init__(self) -> None:
        self.mean, self.n = 0.0, 0
        self.tail = deque(maxlen=5)

    def add(self, out: StepOut) -> None:
        self.n += out.size
        self.mean = self.mean + (out.loss.item() - self.mean) * out.size / self.n
        self.tail.append(round(out.loss.item(), 3))
