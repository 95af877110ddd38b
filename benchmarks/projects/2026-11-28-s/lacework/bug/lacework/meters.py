class Mean:
    def __init__(self):
        self.total = 0.0
        self.count = 0

    def add(self, value, weight=1):
        self.total += value * weight
        self.count += weight

    def read(self):
        return self.total.item() / self.count
