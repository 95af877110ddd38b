from collections import defaultdict


class Monitor:
    def __init__(self):
        self.curves = defaultdict(list)

    def record(self, **values):
        for key, value in values.items():
            self.curves[key].append(value)

    def summary(self, last=20):
        return {k: round(float(sum(v[-last:])) / len(v[-last:]), 4) for k, v in self.curves.items()}
