from collections import deque

__all__ = ["Smooth", "Trace"]


class Smooth:
    """Mean of the last `size` values."""

    def __init__(self, size=20):
        self.values = deque(maxlen=size)

    def push(self, value):
        self.values.append(value.item())

    def mean(self):
        return sum(self.values) / len(self.values)


class Trace:
    """Everything that was pushed, for the plot at the end."""

    def __init__(self):
        self.values = []

    def push(self, value):
        self.values.append(value)

    def ends(self):
        return self.values[0].item(), self.values[-1].item()
