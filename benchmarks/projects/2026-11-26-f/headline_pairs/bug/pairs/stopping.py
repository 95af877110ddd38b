class EarlyStop:
    def __init__(self, every, patience):
        self.every, self.patience = every, patience
        self.best, self.bad = float("inf"), 0

    def done(self, trainer):
        if trainer.updates % self.every:
            return False
        score = trainer.evaluate()
        if score < self.best:
            self.best, self.bad = score, 0
        else:
            self.bad += 1
        return self.bad >= self.patience
