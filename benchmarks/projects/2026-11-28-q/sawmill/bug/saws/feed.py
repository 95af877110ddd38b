class Feed:
    """Decides when the blade moves on."""

    def __init__(self, optimizer, window, divisor):
        self.optimizer, self.window, self.divisor = optimizer, window, divisor
        self.pending = 0

    def rewind(self):
        self.pending = 0

    def move(self):
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.pending = 0

    def push(self, loss):
        (loss / self.divisor).backward()
        self.pending += 1
        if self.pending == self.window:
            self.move()
