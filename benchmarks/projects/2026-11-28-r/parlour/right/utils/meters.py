class Meter:
    def __init__(self):
        self.total, self.seen = 0.0, 0

    def add(self, value, count):
        self.total += value.detach() * count
        self.seen += count

    def mean(self):
        return float(self.total) / max(1, self.seen)
