class ScaledOptimizer:
    def __init__(self, optimizer, scaler):
        self.optimizer, self.scaler = optimizer, scaler

    def reveal(self):
        self.scaler.unscale_(self.optimizer)

    def step(self):
        self.optimizer.step()
        self.scaler.update()

    def zero_grad(self):
        self.optimizer.zero_grad(set_to_none=True)
