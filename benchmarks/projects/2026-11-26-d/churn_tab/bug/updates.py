class Updates:
    """Counts what waits for a step and takes the steps."""

    def __init__(self, opt, every):
        self.opt, self.every = opt, every
        self.waiting = self.done = 0

    def _apply(self):
        self.opt.step()
        self.opt.zero_grad()
        self.waiting = 0
        self.done += 1

    def tick(self):
        self.waiting += 1
        if self.waiting == self.every:
            self._apply()

    def close(self):
        return self.done
