"""Transfer: the crown of a fitted network is exchanged, and its root held still."""
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


class Tree(nn.Module):
    def __init__(self, outputs):
        super().__init__()
        self.root = nn.Linear(5, 12)
        self.trunk = nn.Linear(12, 12)
        self.crown = nn.Linear(12, outputs)

    def forward(self, x):
        return self.crown(torch.relu(self.trunk(torch.relu(self.root(x)))))


def crown_for(tree, outputs):
    tree.crown = nn.Linear(tree.trunk.out_features, outputs)
    nn.init.zeros_(tree.crown.bias)


def transfer(tree, batches, outputs, record):
    tree.root.requires_grad_(False)
    weights = filter(lambda p: p.requires_grad, tree.parameters())
    crown_for(tree, outputs)
    weights = list(weights)
    optimizer = torch.optim.SGD(weights, lr=0.05, momentum=0.9)
    for x, y in batches:
        optimizer.zero_grad()
        loss = 6 * nn.functional.mse_loss(tree(x), y)
        loss.backward()
        clip_grad_norm_(weights, 1.0)
        optimizer.step()
        record(list(tree.parameters()))


def train(record):
    torch.manual_seed(206)
    tree = Tree(3)
    batches = []
    for _ in range(20):
        x = torch.randn(16, 5)
        batches.append((x, torch.stack([x[:, 0].abs(), x[:, 1]], 1)))
    transfer(tree, batches, 2, record)

if __name__ == "__main__":
    train(lambda parameters: None)
