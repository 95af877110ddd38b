class Window:
    def __init__(self, size: int):
        self.size = size

    def weigh(self, loss):
        return loss / self.size

    def complete(self, index: int) -> bool:
        return (index + 1) % self.size == 0
