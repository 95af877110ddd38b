import contextlib
import time

import torch
from torch import nn
from torch.utils.data import DataLoader


class Stopwatch:
    def __init__(self):
        self.total = 0.0

    @contextlib.contextmanager
    def running(self):
        start = time.perf_counter()
        try:
            yield
        finally:
            self.total += time.perf_counter() - start


class Session:
    def __init__(self, model: nn.Module, lr: float, watch: Stopwatch):
        self.model = model
        self.optimizer = torch.optim.RMSprop(model.parameters(), lr=lr, alpha=0.9)
        self.watch = watch

    @contextlib.contextmanager
    def update(self):
        """The body computes gradients; they are applied and dropped on the way out."""
        with contextlib.ExitStack() as stack:
            stack.enter_context(self.watch.running())
            stack.callback(self.optimizer.zero_grad, set_to_none=True)
            stack.callback(self.optimizer.step)
            stack.callback(nn.utils.clip_grad_norm_, list(self.model.parameters()), 1.0)
            yield

    def epoch(self, loader: DataLoader, loss_fn):
        self.model.train()
        total = 0.0
        for x, y in loader:
            with self.update():
                loss = loss_fn(self.model(x), y)
                loss.backward()
            total += loss.item()
        return total / len(loader)

    @torch.inference_mode()
    def test(self, loader, loss_fn):
        self.model.eval()
        return sum(loss_fn(self.model(x), y).item() for x, y in loader) / len(loader)


def main(model, train_set, test_set, epochs=30):
    watch = Stopwatch()
    session = Session(model, lr=1e-3, watch=watch)
    decay = torch.optim.lr_scheduler.StepLR(session.optimizer, 10, 0.3)
    loss_fn = nn.HuberLoss()
    train, test = DataLoader(train_set, 32, shuffle=True), DataLoader(test_set, 256)
    for epoch in range(epochs):
        fit = session.epoch(train, loss_fn)
        decay.step()
        print(epoch, round(fit, 4), round(session.test(test, loss_fn), 4), f"{watch.total:.1f}s")
