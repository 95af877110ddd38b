from collections import defaultdict


class Tracker:
    def __init__(self):
        self.curves = defaultdict(list)

    def log(self, **values):
        for key, value in values.items():
            self.curves[key].append(value)

    def last(self, key, k=20):
        tail = self.curves[key][-k:]
        return sum(float(v) for v in tail) / len(tail)
