class Meter:
    """Sample-weighted mean of whatever it is given."""

    def __init__(self):
        self.total = 0.0
        self.count = 0

    def add(self, value, n=1):
        self.total += value * n
        self.count += n

    def mean(self):
        mean = self.total / max(self.count, 1)
        return mean.item() if hasattr(mean, "item") else mean
