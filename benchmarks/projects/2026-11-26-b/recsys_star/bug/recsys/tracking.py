from collections import defaultdict

__all__ = ["History"]


class History:
    def __init__(self):
        self.values = defaultdict(list)

    def log(self, name, value):
        self.values[name].append(float(value.detach()))

    def mean(self, name):
        return sum(self.values[name]) / len(self.values[name])

    def clear(self):
        self.values.clear()
