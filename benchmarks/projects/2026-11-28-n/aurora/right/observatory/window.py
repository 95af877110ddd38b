class Window:
    def __init__(self, length, batches):
        self.length, self.batches = length, batches

    def full(self, index):
        return (index + 1) % self.length == 0

    def due(self, index):
        return self.full(index) or index + 1 == self.batches
