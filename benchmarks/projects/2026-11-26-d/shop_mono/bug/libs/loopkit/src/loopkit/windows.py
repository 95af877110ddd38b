class Window:
    """Says for the n-th micro-batch, counted from one, whether it completes a window."""

    def __init__(self, length):
        self.length = length

    def share(self, loss):
        return loss / self.length

    def complete(self, n):
        return n % self.length == 0
