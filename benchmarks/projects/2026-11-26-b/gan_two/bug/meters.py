class Average:
    def __init__(self):
        self.reset()

    def reset(self):
        self.total = 0.0
        self.count = 0

    def add(self, value, count=1):
        self.total += value * count
        self.count += count

    @property
    def value(self):
        return float(self.total) / max(self.count, 1)
