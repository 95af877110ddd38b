import torch
from torch import nn
from torch.nn import functional as F


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Linear(7, 12)
        self.task = nn.Linear(12, 1)

    def forward(self, x):
        features = torch.tanh(self.stem(x))
        return features, self.task(features)


class Experiment:
    def __init__(self, window):
        self.window = window
        self.backbone = Backbone()
        self.probe = nn.Linear(12, 2)
        self.main_opt = torch.optim.SGD(self.backbone.parameters(), lr=0.1)
        self.probe_opt = torch.optim.SGD(self.probe.parameters(), lr=0.05)

    def parameters(self):
        return [*self.backbone.parameters(), *self.probe.parameters()]

    def fit_probe(self, features, labels):
        self.probe_opt.zero_grad()
        loss = F.cross_entropy(self.probe(features.detach()), labels)
        loss.backward()
        self.probe_opt.step()
        return loss.item()

    def epoch(self, batches, record):
        self.main_opt.zero_grad()
        scores = []
        for n, (x, y, labels) in enumerate(batches, start=1):
            features, out = self.backbone(x)
            (F.mse_loss(out, y) / self.window).backward()
            scores.append(self.fit_probe(features, labels))
            record(self.parameters())
            if n % self.window == 0 or n == len(batches):
                self.main_opt.step()
                self.main_opt.zero_grad()
                record(self.parameters())
        return sum(scores) / len(scores)


def train(record):
    torch.manual_seed(29)
    batches = []
    for _ in range(9):
        x = torch.randn(10, 7)
        batches.append((x, x[:, :2].prod(1, keepdim=True), (x[:, 2] > 0).long()))
    experiment = Experiment(window=3)
    for epoch in range(3):
        print(epoch, round(experiment.epoch(batches, record), 4))


if __name__ == "__main__":
    train(lambda parameters: None)
