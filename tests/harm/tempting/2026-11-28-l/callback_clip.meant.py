"""A small trainer with callbacks."""
import torch
from torch import nn


class Callback:
    def after_backward(self, trainer):
        pass

    def after_step(self, trainer):
        pass


class Guard(Callback):
    """Keeps gradients short and the rows of the first layer no longer than one."""

    def after_backward(self, trainer):
        params = [p for group in trainer.opt.param_groups for p in group["params"]]
        nn.utils.clip_grad_norm_(params, 0.2)

    def after_step(self, trainer):
        with torch.no_grad():
            rows = trainer.net[0].weight
            rows.mul_((1.0 / rows.norm(dim=1, keepdim=True)).clamp(max=1.0))


class Record(Callback):
    def __init__(self, record):
        self.record = record

    def after_step(self, trainer):
        self.record(list(trainer.net.parameters()))


class Trainer:
    def __init__(self, net, opt, callbacks):
        self.net, self.opt, self.callbacks = net, opt, callbacks

    def fire(self, event):
        for callback in self.callbacks:
            getattr(callback, event)(self)

    def fit(self, batches):
        for x, y in batches:
            self.opt.zero_grad()
            nn.functional.mse_loss(self.net(x), y).backward()
            self.fire("after_backward")
            self.opt.step()
            self.fire("after_step")


def train(record):
    torch.manual_seed(115)
    net = nn.Sequential(nn.Linear(4, 10), nn.ReLU(), nn.Linear(10, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    Trainer(net, opt, [Record(record), Guard()]).fit([(x, 4 * x[:, :1]) for x in torch.randn(20, 16, 4)])


if __name__ == "__main__":
    train(lambda parameters: None)
