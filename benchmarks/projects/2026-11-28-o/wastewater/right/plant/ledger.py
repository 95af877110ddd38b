class Ledger:
    def __init__(self):
        self.rows = {}

    def note(self, name, value):
        self.rows.setdefault(name, []).append(value)

    def mean(self, name):
        values = self.rows.pop(name)
        return float(sum(values) / len(values))
