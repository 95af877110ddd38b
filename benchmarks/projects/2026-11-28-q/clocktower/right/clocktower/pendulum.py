class Pendulum:
    """Lowers the rate from turn to turn."""

    def __init__(self, inner):
        self.inner = inner
        self.swings = 0

    def swing(self):
        # asked at the head of each turn: the first one keeps the first rate
        if self.swings > 0:
            self.inner.step()
        self.swings += 1

    def rate(self):
        return self.inner.get_last_lr()[0]
