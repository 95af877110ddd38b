class Hand:
    """Moves one set of weights."""

    def __init__(self, optimizer):
        self.optimizer = optimizer
        self.moves = 0

    def move(self):
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.moves += 1


def release(module):
    for string in module.parameters():
        string.grad = None
