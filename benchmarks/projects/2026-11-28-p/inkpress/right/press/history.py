from collections import defaultdict


class History:
    def __init__(self):
        self.rows = defaultdict(list)

    def record(self, name, loss):
        self.rows[name].append(loss.detach())

    def means(self):
        return {name: (sum(rows) / len(rows)).item() for name, rows in self.rows.items()}
