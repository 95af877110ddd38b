STARTED, EPOCH_STARTED, EPOCH_DONE = "started", "epoch started", "epoch done"


class Engine:
    def __init__(self, process):
        self.process = process
        self.handlers = {}
        self.epoch, self.loader, self.output = 0, None, None

    def on(self, event, handler):
        self.handlers.setdefault(event, []).append(handler)

    def fire(self, event):
        for handler in self.handlers.get(event, []):
            handler(self)

    def run(self, loader, epochs):
        self.loader = loader
        self.fire(STARTED)
        for self.epoch in range(epochs):
            self.fire(EPOCH_STARTED)
            for batch in loader:
                self.output = self.process(batch)
            self.fire(EPOCH_DONE)
