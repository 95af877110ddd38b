import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


class Stopper:
    def __init__(self, patience=3):
        self.best, self.bad, self.patience = float("inf"), 0, patience
        self.weights = None

    def update(self, value, model):
        if value < self.best:
            self.best, self.bad = value, 0
            self.weights = copy.deepcopy(model.state_dict())
        else:
            self.bad += 1
        return self.bad >= self.patience


class ChurnModel:
    def __init__(self, width):
        self.net = nn.Sequential(nn.Linear(10, width), nn.ReLU(), nn.Dropout(0.2), nn.Linear(width, 1))
        self.opt = torch.optim.Adam(self.net.parameters(), lr=3e-4)

    @torch.no_grad()
    def score(self, loader):
        self.net.eval()
        return sum(nn.functional.binary_cross_entropy_with_logits(self.net(x), y).item() for x, y in loader)

    def fit(self, train, valid, epochs=10):
        stop = Stopper()
        for epoch in range(epochs):
            self.net.train()
            self.opt.zero_grad()
            for x, y in train:
                loss = nn.functional.binary_cross_entropy_with_logits(self.net(x), y)
                loss.backward()
                self.opt.step()
            if stop.update(self.score(valid), self.net):
                print("stopped at", epoch)
                break
        self.net.load_state_dict(stop.weights)


torch.manual_seed(1)
x = torch.randn(300, 10)
data = TensorDataset(x, (x[:, :1] > 0.4).float())
a, b = random_split(data, [240, 60])
ChurnModel(24).fit(DataLoader(a, 32, shuffle=True), DataLoader(b, 60))
