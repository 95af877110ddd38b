"""The scaler's books are closed when the next turn begins, and once at the end."""
import torch
from torch import nn


class Turns:
    """Counts the turns, and settles what the last one has left open."""

    def __init__(self, scaler, amount):
        self.scaler, self.amount = scaler, amount
        self.scales = []

    def __iter__(self):
        for turn in range(self.amount):
            if turn:
                self.settle()
            yield turn
        self.settle()

    def settle(self):
        self.scaler.update()
        self.scales.append(self.scaler.get_scale())


def train(record):
    torch.manual_seed(90)
    net = nn.Sequential(nn.Linear(4, 20), nn.Tanh(), nn.Linear(20, 4))
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.5)
    scaler = torch.amp.GradScaler("cpu", init_scale=128.0, growth_interval=5)
    turns = Turns(scaler, amount=30)
    for turn in turns:
        x = torch.randn(10, 4)
        with torch.autocast("cpu", dtype=torch.float16):
            out = net(x)
        loss = nn.functional.mse_loss(out.float(), x.flip(1))
        opt.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(opt)
        record(list(net.parameters()))
    return turns.scales


if __name__ == "__main__":
    train(lambda parameters: None)
