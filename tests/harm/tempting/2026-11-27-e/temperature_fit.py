import torch
import torch.nn.functional as F
from torch import nn


class Classifier:
    def __init__(self, record):
        self.net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Dropout(0.2), nn.Linear(16, 3))
        self.temperature = nn.Parameter(torch.ones(1))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.2)
        self.calibration = torch.optim.SGD([self.temperature], lr=0.05)
        self.record = record

    def weights(self):
        return [*self.net.parameters(), self.temperature]

    def learn(self, batches):
        self.net.train()
        for x, y in batches:
            self.opt.zero_grad()
            F.cross_entropy(self.net(x), y).backward()
            self.opt.step()
            self.record(self.weights())

    def validate(self, batches):
        self.net.eval()
        losses = []
        for x, y in batches:
            logits = self.net(x)
            fixed = logits.detach()
            for _ in range(3):
                self.calibration.zero_grad()
                F.cross_entropy(fixed / self.temperature, y).backward()
                self.calibration.step()
                self.record(self.weights())
            losses.append(F.cross_entropy(fixed / self.temperature.detach(), y).item())
        return sum(losses) / len(losses)


def train(record):
    torch.manual_seed(36)
    data = []
    for _ in range(7):
        x = torch.randn(12, 4)
        data.append((x, x[:, :3].argmax(1)))
    model = Classifier(record)
    for epoch in range(3):
        model.learn(data[:5])
        print(epoch, round(model.validate(data[5:]), 4), round(model.temperature.item(), 4))


if __name__ == "__main__":
    train(lambda parameters: None)
