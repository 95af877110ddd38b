class Eager:
    """An update for every flight."""

    def __init__(self, optimizer):
        self.optimizer = optimizer

    def open(self, n):
        self.optimizer.zero_grad()

    def micro(self, loss):
        loss.backward()

    def due(self, n, total):
        return True

    def settle(self):
        self.optimizer.step()


class Patient:
    """An update for every `flock` flights."""

    def __init__(self, optimizer, flock):
        self.optimizer, self.flock = optimizer, flock

    def open(self, n):
        self.optimizer.zero_grad()

    def micro(self, loss):
        (loss / self.flock).backward()

    def due(self, n, total):
        return n % self.flock == 0 or n == total

    def settle(self):
        self.optimizer.step()
