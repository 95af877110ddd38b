"""A few plain updates to warm up, then windows of micro-batches through the same helper."""
import torch
from torch import nn


class Runner:
    def __init__(self, net, lr, window, record):
        self.net, self.window, self.record = net, window, record
        self.opt = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.9, nesterov=True)

    def gradients(self, batch, weight=1.0):
        x, y = batch
        loss = nn.functional.binary_cross_entropy_with_logits(self.net(x).squeeze(-1), y)
        (weight * loss).backward()
        return loss.item()

    def apply(self):
        self.opt.step()
        self.record(list(self.net.parameters()))
        self.opt.zero_grad()

    def warm_up(self, batches):
        return [(self.gradients(batch), self.apply())[0] for batch in batches]

    def run(self, batches):
        total = 0.0
        for at in range(0, len(batches), self.window):
            part = batches[at : at + self.window]
            for batch in part:
                total += self.gradients(batch, 1 / len(part))
            self.apply()
        return total / len(batches)


def xor_batches(n, generator):
    out = []
    for _ in range(n):
        x = torch.rand(16, 2, generator=generator) * 2 - 1
        out.append((x, ((x[:, 0] > 0) ^ (x[:, 1] > 0)).float()))
    return out


def train(record):
    torch.manual_seed(9)
    generator = torch.Generator().manual_seed(9)
    net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
    runner = Runner(net, lr=0.1, window=5, record=record)
    runner.warm_up(xor_batches(6, generator))
    for epoch in range(3):
        print(epoch, runner.run(xor_batches(15, generator)))


if __name__ == "__main__":
    train(lambda parameters: None)
