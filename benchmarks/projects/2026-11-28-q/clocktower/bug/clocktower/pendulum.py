class Pendulum:
    """Lowers the rate from turn to turn."""

    def __init__(self, inner):
        self.inner = inner
        self.swings = 0

    def swing(self):
        self.swings += 1
        self.inner.step()

    def rate(self):
        return self.inner.get_last_lr()[0]
