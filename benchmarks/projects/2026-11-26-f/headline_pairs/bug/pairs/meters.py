from collections import defaultdict


class Meters:
    def __init__(self):
        self.sums, self.counts = defaultdict(float), defaultdict(int)

    def update(self, n, **values):
        for name, value in values.items():
            self.sums[name] += value * n
            self.counts[name] += n

    def __str__(self):
        return " ".join(f"{name} {float(self.sums[name] / self.counts[name]):.4f}" for name in self.sums)
