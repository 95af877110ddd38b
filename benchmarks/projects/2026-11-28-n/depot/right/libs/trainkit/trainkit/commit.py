class Committer:
    """One update; apps that read gradients afterwards clear them on their own (`clear=False`)."""

    def __init__(self, optimizer, scaler, clear=False):
        self.optimizer, self.scaler, self.clear = optimizer, scaler, clear
        self.updates = 0

    def __call__(self):
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.updates += 1
        if self.clear:
            self.optimizer.zero_grad(set_to_none=True)
