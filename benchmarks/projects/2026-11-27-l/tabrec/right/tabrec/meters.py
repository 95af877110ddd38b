from collections import defaultdict


class MeterBank:
    """Running means of named scalars over one epoch."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.totals = defaultdict(float)
        self.updates = 0

    def add(self, values):
        self.updates += 1
        for name, value in values.items():
            self.totals[name] += value

    def means(self):
        return {name: float(total) / self.updates for name, total in self.totals.items()}
