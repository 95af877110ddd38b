import torch
from torch import nn

__all__ = ["HoneyNet", "label_loss", "make_optimizer", "seed_all", "trainable"]


class HoneyNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.sieve = nn.Linear(11, 20)
        self.label = nn.Linear(20, 4)
        self.sieve.bias.requires_grad_(False)

    def forward(self, pollen):
        return self.label(torch.relu(self.sieve(pollen)))


def label_loss(logits, meadow):
    return nn.functional.cross_entropy(logits, meadow)


def trainable(model):
    return [p for p in model.parameters() if p.requires_grad]


def make_optimizer(params):
    return torch.optim.Adam(params, lr=0.01)


def seed_all(seed):
    torch.manual_seed(seed)
