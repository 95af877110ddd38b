"""Phase one trains an adapter, phase two adds the backbone at a lower rate."""
import torch
from torch import nn
from torch.nn import functional as F


class Adapted(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(7, 16), nn.ReLU())
        self.adapter = nn.Linear(16, 16)
        self.head = nn.Linear(16, 1)

    def forward(self, x):
        h = self.backbone(x)
        return self.head(h + self.adapter(h))


def wild(count):
    for _ in range(count):
        x = torch.randn(10, 7)
        yield x, 4 * (x[:, :1] - x[:, 1:2] * x[:, 2:3])


def train(record):
    torch.manual_seed(26)
    model = Adapted()
    model.backbone.requires_grad_(False)
    trainable = filter(lambda p: p.requires_grad, model.parameters())
    optimizer = torch.optim.SGD(trainable, lr=0.005, momentum=0.5)

    def phase(count):
        for x, y in wild(count):
            optimizer.zero_grad()
            F.mse_loss(model(x), y).backward()
            nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
            optimizer.step()
            record(list(model.parameters()))

    phase(12)
    model.backbone.requires_grad_(True)
    optimizer.add_param_group({"params": model.backbone.parameters(), "lr": 0.002})
    phase(12)


if __name__ == "__main__":
    train(lambda parameters: None)
