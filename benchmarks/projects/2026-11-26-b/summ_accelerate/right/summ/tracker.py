from collections import defaultdict

__all__ = ["Tracker"]


class Tracker:
    def __init__(self):
        self.reset()

    def reset(self):
        self.sums, self.counts = defaultdict(float), defaultdict(int)

    def add(self, name, value):
        self.sums[name] = self.sums[name] + value.item()
        self.counts[name] += 1

    def __str__(self):
        return " ".join(f"{name} {self.sums[name] / self.counts[name]:.4f}" for name in self.sums)
