class NormLogMixin:
    def log_norm(self):
        self.scaler.unscale_(self.optimizer)
        squares = [p.grad.detach().square().sum() for p in self.net.parameters() if p.grad is not None]
        self.norms.append(float(sum(squares)) ** 0.5)
