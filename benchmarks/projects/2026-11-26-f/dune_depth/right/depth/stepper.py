class Stepper:
    """Adds up `every` losses to one update.

    `each` is called after every backward, `first` and `last` around the update, and
    `done` at the end of every call.
    """

    def __init__(self, optimizer, every, each=(), first=(), last=(), done=()):
        self.optimizer, self.every = optimizer, every
        self.each, self.first, self.last, self.done = each, first, last, done
        self.waiting = 0

    def __call__(self, loss):
        (loss / self.every).backward()
        self.waiting += 1
        for action in self.each:
            action()
        if self.waiting == self.every:
            self.flush()
        for action in self.done:
            action()

    def flush(self):
        if not self.waiting:
            return
        for action in self.first:
            action()
        self.optimizer.step()
        self.optimizer.zero_grad()
        for action in self.last:
            action()
        self.waiting = 0
