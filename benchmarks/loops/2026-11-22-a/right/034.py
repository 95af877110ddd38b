import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from traffic.data import MetrLA
from traffic.model import DCRNNCell


class Forecaster(nn.Module):
    def __init__(self, nodes, hidden=64, horizon=12):
        super().__init__()
        self.cell = DCRNNCell(nodes, 2, hidden)
        self.decoder = DCRNNCell(nodes, 1, hidden)
        self.project = nn.Linear(hidden, 1)
        self.horizon = horizon

    def encode(self, x):
        h = None
        for t in range(x.size(1)):
            h = self.cell(x[:, t], h)
        return h

    def steps(self, x):
        h = self.encode(x)
        y = torch.zeros_like(x[:, 0, :, :1])
        for _ in range(self.horizon):
            h = self.decoder(y, h)
            y = self.project(h)
            yield y


def train(path="metr-la.h5", epochs=100, lr=1e-2):
    data = MetrLA(path)
    loader = DataLoader(data, batch_size=64, shuffle=True)
    model = Forecaster(data.nodes).cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=lr, eps=1e-3)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, [20, 30, 40, 50], 0.1)
    for epoch in range(epochs):
        model.train()
        shown = 0.0
        for x, target in loader:
            x, target = x.cuda(), target.cuda()
            total_loss = 0
            for t, y in enumerate(model.steps(x)):
                total_loss += (y - target[:, t]).abs().mean()
            total_loss = total_loss / model.horizon
            optimizer.zero_grad()
            total_loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5)
            optimizer.step()
            shown += total_loss.item()
        scheduler.step()
        print(epoch, shown / len(loader))


if __name__ == "__main__":
    train()
