import torch
from torch import nn


class Callback:
    def __getattr__(self, name):
        if name.startswith("on_"):
            return lambda runner: None
        raise AttributeError(name)


class Housekeeping(Callback):
    def on_after_backward(self, runner):
        runner.optimizer.zero_grad(set_to_none=False)


class PrintLoss(Callback):
    def on_batch_end(self, runner):
        if runner.step % 100 == 0:
            print(runner.step, f"{runner.loss.item():.4f}")


class Runner:
    def __init__(self, model, loader, callbacks=(), lr=0.1):
        self.model, self.loader = model, loader
        self.callbacks = list(callbacks)
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
        self.criterion = nn.CrossEntropyLoss()
        self.step = 0

    def call(self, event):
        for callback in self.callbacks:
            getattr(callback, event)(self)

    def batch(self, x, y):
        self.loss = self.criterion(self.model(x), y)
        self.loss.backward()
        self.call("on_after_backward")
        self.optimizer.step()
        self.step += 1
        self.call("on_batch_end")

    def run(self, epochs):
        for _ in range(epochs):
            self.model.train()
            for x, y in self.loader:
                self.batch(x, y)


def main(model, loader):
    Runner(model, loader, callbacks=[Housekeeping(), PrintLoss()]).run(epochs=10)
