class Window:
    def __init__(self, size, batches):
        self.size = size
        self.batches = batches

    def closes(self, index):
        return (index + 1) % self.size == 0 or index + 1 == self.batches

    def per_epoch(self):
        return -(-self.batches // self.size)
