from itertools import islice


class Cadence:
    """Says when something that happens every n ticks is due."""

    def __init__(self, every: int):
        if every < 1:
            raise ValueError(every)
        self.every = every
        self.count = 0
        self.waiting = 0

    def tick(self) -> bool:
        self.waiting += 1
        due = self.count % self.every == 0
        self.count += 1
        if due:
            self.waiting = 0
        return due


def in_groups(batches, n):
    it = iter(batches)
    while group := list(islice(it, n)):
        yield group
