from .consts import WINDOW

__all__ = ["Progress", "advance"]


class Progress:
    def __init__(self):
        self.micro = 0

    def tick(self):
        """Counts a micro-batch; true where a window is full."""
        self.micro += 1
        return self.micro % WINDOW == 0


def advance(optimizer, scheduler):
    optimizer.step()
    scheduler.step()
