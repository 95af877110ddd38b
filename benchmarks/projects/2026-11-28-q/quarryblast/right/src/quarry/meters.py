class Mean:
    """Running mean that leaves the numbers where they are."""

    def __init__(self):
        self.clear()

    def clear(self):
        self.total, self.count = 0.0, 0

    def add(self, value):
        self.total = self.total + value.detach()
        self.count += 1

    def value(self):
        return float(self.total) / max(self.count, 1)
