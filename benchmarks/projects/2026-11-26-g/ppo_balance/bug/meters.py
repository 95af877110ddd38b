class Meter:
    def __init__(self, name):
        self.name, self.total, self.count = name, 0.0, 0

    def push(self, value):
        self.total += value
        self.count += 1

    def __str__(self):
        return f"{self.name} {float(self.total) / max(self.count, 1):.4f}"
