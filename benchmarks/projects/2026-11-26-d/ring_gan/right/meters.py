class Meter:
    def __init__(self, name):
        self.name, self.total, self.n = name, 0.0, 0

    def update(self, value):
        self.total += value.item()
        self.n += 1

    def __str__(self):
        return f"{self.name}={float(self.total) / max(self.n, 1):.4f}"
