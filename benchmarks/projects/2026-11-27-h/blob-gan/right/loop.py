class EpochLoop:
    """Walks the data; what happens to it is for the children to say."""

    def __init__(self, loader, epochs):
        self.loader = loader
        self.epochs = epochs

    def before_epoch(self, epoch):
        pass

    def after_epoch(self, epoch):
        pass

    def on_batch(self, batch):
        raise NotImplementedError

    def run(self):
        for epoch in range(self.epochs):
            self.before_epoch(epoch)
            for batch in self.loader:
                self.on_batch(batch)
            self.after_epoch(epoch)
