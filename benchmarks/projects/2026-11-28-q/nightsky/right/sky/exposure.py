class Exposure:
    """How a plate is exposed: open, collect light, shut."""

    def __init__(self, optimizer):
        self.optimizer = optimizer

    def wipe(self):
        for group in self.optimizer.param_groups:
            for weight in group["params"]:
                weight.grad = None

    def shut(self):
        self.optimizer.step()
        self.wipe()
