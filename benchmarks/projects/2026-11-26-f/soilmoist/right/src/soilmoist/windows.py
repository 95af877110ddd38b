class Window:
    """Says after which batch (counted from one) an update is due."""

    def __init__(self, size, total=None):
        self.size = size
        self.total = total

    def closes(self, n):
        return n % self.size == 0 or n == self.total
