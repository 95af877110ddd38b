class AverageMeter:
    def __init__(self):
        self.sum = 0.0
        self.count = 0

    def update(self, value, n=1):
        self.sum += value * n
        self.count += n

    @property
    def avg(self):
        return float(self.sum) / max(self.count, 1)


class MeterDict(dict):
    def update(self, values, n=1):
        for name, value in values.items():
            if name not in self:
                self[name] = AverageMeter()
            self[name].update(value, n)

    def __str__(self):
        return " ".join(f"{k} {m.avg:.4f}" for k, m in self.items())
