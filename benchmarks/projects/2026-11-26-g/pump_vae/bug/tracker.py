class Tracker:
    def __init__(self):
        self.sums, self.count = {}, 0

    def add(self, **terms):
        for name, term in terms.items():
            self.sums[name] = self.sums.get(name, 0.0) + term
        self.count += 1

    def take(self):
        means = {name: round(float(total) / self.count, 4) for name, total in self.sums.items()}
        self.sums, self.count = {}, 0
        return means
