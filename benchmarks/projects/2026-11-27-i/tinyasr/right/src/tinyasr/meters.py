class RunningMean:
    def __init__(self):
        self.reset()

    def reset(self):
        self.total, self.weight = 0.0, 0

    def add(self, value, weight=1):
        self.total = self.total + value * weight
        self.weight += weight

    @property
    def value(self):
        return self.total / max(1, self.weight)
