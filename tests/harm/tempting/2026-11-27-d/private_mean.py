import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils import clip_grad_norm_

BOUND, NOISE, LR = 0.5, 0.3, 0.2


class PrivateTrainer:
    def __init__(self, model):
        self.model = model
        self.params = list(model.parameters())
        self.optimizer = torch.optim.SGD(self.params, lr=LR)

    def sanitise(self, sums, size):
        for p, s in zip(self.params, sums):
            p.grad = (s + NOISE * BOUND * torch.randn_like(s)) / size

    def learn(self, inputs, labels):
        sums = [torch.zeros_like(p) for p in self.params]
        for x, y in zip(inputs.split(1), labels.split(1)):
            loss = F.cross_entropy(self.model(x), y)
            loss.backward()
            clip_grad_norm_(self.params, BOUND)
            for s, p in zip(sums, self.params):
                s += p.grad
            self.optimizer.zero_grad()
        self.sanitise(sums, len(inputs))
        self.optimizer.step()
        self.optimizer.zero_grad()


def train(record):
    torch.manual_seed(11)
    inputs = torch.randn(48, 5)
    labels = (inputs[:, 0] * inputs[:, 1] > 0).long()
    trainer = PrivateTrainer(nn.Sequential(nn.Linear(5, 12), nn.Tanh(), nn.Linear(12, 2)))
    for epoch in range(2):
        for x, y in zip(inputs.split(8), labels.split(8)):
            trainer.learn(x, y)
            record(trainer.params)


if __name__ == "__main__":
    train(lambda parameters: None)
