import math


class FiniteGuard:
    """Runs an action unless the number beside it is broken."""

    def __init__(self):
        self.refused = 0

    def __call__(self, number, action):
        if math.isfinite(number):
            action()
        else:
            self.refused += 1
