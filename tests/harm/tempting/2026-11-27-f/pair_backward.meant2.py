import torch
import torch.nn.functional as F
from torch import nn


class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(7, 18), nn.ReLU())
        self.kind, self.size = nn.Linear(18, 3), nn.Linear(18, 1)

    def forward(self, x):
        h = self.trunk(x)
        return self.kind(h), self.size(h).squeeze(1)


def batches_of(x, kind, size, rows):
    for at in torch.randperm(len(x)).split(rows):
        yield x[at], kind[at], size[at]


def train(record):
    torch.manual_seed(658)
    x = torch.randn(72, 7)
    kind, size = x[:, :3].argmax(1), x.pow(2).mean(1)
    model = TwoHeads()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    grad_accum = 4
    optimizer.zero_grad()
    for epoch in range(3):
        meter = torch.zeros(2)
        for step, (a, k, s) in enumerate(batches_of(x, kind, size, 6)):
            logits, guess = model(a)
            losses = [F.cross_entropy(logits, k), F.smooth_l1_loss(guess, s)]
            (sum(losses) / grad_accum).backward()
            meter += torch.stack(losses).detach()
            if (step + 1) % grad_accum == 0:
                optimizer.step()
                optimizer.zero_grad()
                record(list(model.parameters()))
        print(epoch, (meter / (step + 1)).tolist())


if __name__ == "__main__":
    train(lambda parameters: None)
