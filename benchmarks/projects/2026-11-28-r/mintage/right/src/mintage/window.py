class Window:
    """Some strikes of the press that share one update."""

    def __init__(self, size):
        self.size = size

    def take(self, loss):
        (loss / self.size).backward()

    def closes(self, i, total):
        return (i + 1) % self.size == 0 or i + 1 == total
