class Trail:
    """Everything that was recorded in a run, by name."""

    def __init__(self):
        self.values = {}

    def record(self, **named):
        for name, value in named.items():
            self.values.setdefault(name, []).append(value.detach())

    def mean(self, name, last):
        tail = self.values[name][-last:]
        return float(sum(tail)) / len(tail)
