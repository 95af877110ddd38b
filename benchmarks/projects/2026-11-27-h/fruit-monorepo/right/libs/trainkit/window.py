class Window:
    def __init__(self, size: int, total: int):
        self.size = size
        self.total = total

    def weigh(self, loss):
        return loss / self.size

    def complete(self, index: int) -> bool:
        return (index + 1) % self.size == 0 or index + 1 == self.total
