class Running:
    """Mean since the last reset."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.sum, self.n = 0.0, 0

    def update(self, value, n=1):
        self.sum = self.sum + value * n
        self.n += n

    @property
    def mean(self):
        return float(self.sum) / max(self.n, 1)
