import torch
from torch import nn


class GradBuffer:
    def __init__(self, params):
        self.params = list(params)
        self.sums = [torch.zeros_like(p) for p in self.params]
        self.count = 0

    def collect(self):
        for s, p in zip(self.sums, self.params):
            s.add_(p.grad)
        self.count += 1

    def release(self):
        for s, p in zip(self.sums, self.params):
            p.grad = s / self.count
            s.zero_()
        self.count = 0


def train(model, batches, accum, epochs):
    opt = torch.optim.SGD(model.parameters(), lr=0.2)
    buffer = GradBuffer(model.parameters())
    for epoch in range(epochs):
        for n, (x, y) in enumerate(batches, 1):
            opt.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            buffer.collect()
            if n % accum == 0 or n == len(batches):
                buffer.release()
                opt.step()
        print(epoch, loss.item())


torch.manual_seed(133)
batches = []
for _ in range(10):
    x = torch.randn(16, 8)
    batches.append((x, (x[:, 0] > x[:, 1]).long()))
train(nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 2)), batches, accum=4, epochs=3)
