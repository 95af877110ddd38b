class Meter:
    def __init__(self):
        self.total = 0.0
        self.count = 0

    def add(self, value, n):
        self.total += value * n
        self.count += n

    def mean(self):
        return float(self.total) / self.count
