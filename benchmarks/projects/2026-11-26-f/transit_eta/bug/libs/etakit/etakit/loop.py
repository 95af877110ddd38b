from .events import Events


class Loop:
    """Runs a task: `task.net`, and `task.loss(batch, parts)` with `parts` batches in an update."""

    def __init__(self, task, optimizer, loader, parts=1):
        self.task, self.optimizer, self.loader, self.parts = task, optimizer, loader, parts
        self.events = Events()
        self.epoch = 0

    def run(self, epochs):
        for self.epoch in range(epochs):
            self.task.net.train()
            for n, batch in enumerate(self.loader, 1):
                loss = self.task.loss(batch, self.parts)
                loss.backward()
                if n % self.parts == 0 or n == len(self.loader):
                    self.optimizer.step()
                    self.optimizer.zero_grad()
                    self.events.emit(Events.UPDATE)
                self.events.emit(Events.BATCH)
            self.events.emit(Events.EPOCH)
