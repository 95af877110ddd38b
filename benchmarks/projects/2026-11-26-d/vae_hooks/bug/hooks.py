class Hook:
    def before_batch(self, runner): ...

    def after_backward(self, runner): ...

    def after_batch(self, runner): ...


class Beta(Hook):
    def __init__(self, warm):
        self.warm, self.n = warm, 0

    def before_batch(self, runner):
        self.n += 1
        runner.model.beta = min(1.0, self.n / self.warm)


class GradWatch(Hook):
    """Notes the largest gradient and clears up behind it."""

    def __init__(self, every):
        self.every = every
        self.largest = 0.0

    def after_backward(self, runner):
        self.largest = max(p.grad.abs().max().item() for p in runner.model.parameters())
        runner.optimizer.zero_grad()

    def after_batch(self, runner):
        if runner.step % self.every == 0:
            print(f"step {runner.step}: largest gradient {self.largest:.3f}")


class History(Hook):
    def __init__(self):
        self.values = []

    def after_batch(self, runner):
        self.values.append(runner.loss)

    def summary(self):
        head, tail = self.values[:5], self.values[-5:]
        return f"{float(sum(head)) / 5:.3f} -> {float(sum(tail)) / 5:.3f}"
