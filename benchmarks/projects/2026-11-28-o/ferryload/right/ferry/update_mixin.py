class PlainUpdateMixin:
    """For trainers whose gradients are ready as they are."""

    def prepare_gradients(self):
        pass

    def advance(self):
        self.prepare_gradients()
        self.optimizer.step()

    def finish(self):
        self.optimizer.zero_grad()
