"""A scaler that may be asked to unscale as often as the callbacks like."""
import torch
from torch import nn
from torch.amp import GradScaler
from torch.nn import functional as F


class PatientScaler(GradScaler):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.clean = set()

    def unscale_(self, optimizer):
        if id(optimizer) not in self.clean:
            super().unscale_(optimizer)
            self.clean.add(id(optimizer))

    def update(self, new_scale=None):
        super().update(new_scale)
        self.clean.clear()


class NormLog:
    def __init__(self):
        self.norms = []

    def after_backward(self, scaler, optimizer, net):
        scaler.unscale_(optimizer)
        self.norms.append(nn.utils.get_total_norm([p.grad for p in net.parameters()]).item())


class Clip:
    def after_backward(self, scaler, optimizer, net):
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(net.parameters(), 0.3)


def train(record):
    torch.manual_seed(2)
    net = nn.Sequential(nn.Linear(5, 12), nn.Tanh(), nn.Linear(12, 4))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.3)
    scaler = PatientScaler("cpu", init_scale=1024.0)
    callbacks = [NormLog(), Clip()]
    for _ in range(20):
        x = torch.randn(16, 5)
        optimizer.zero_grad()
        scaler.scale(F.cross_entropy(net(x), x[:, :4].argmax(1))).backward()
        for callback in callbacks:
            callback.after_backward(scaler, optimizer, net)
        scaler.step(optimizer)
        scaler.update()
        record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
