import torch
from torch import nn


class Trainer:
    def __init__(self, net, accum=6):
        self.net = net
        self.accum = accum
        self.micro_steps = 0
        self.opt = torch.optim.Adam(net.parameters(), lr=1e-2)

    def fit(self, batches, epochs):
        for epoch in range(epochs):
            for x, y in batches:
                loss = nn.functional.mse_loss(self.net(x), y)
                loss.div(self.accum).backward()
                self.micro_steps += 1
                if self.micro_steps % self.accum == 0:
                    self.opt.step()
                    self.opt.zero_grad()
            print(epoch, self.micro_steps // self.accum, loss.item())


torch.manual_seed(102)
batches = []
for _ in range(8):
    x = torch.randn(16, 3)
    batches.append((x, x.abs().sum(1, keepdim=True)))
Trainer(nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 1))).fit(batches, epochs=3)
