import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.mlp = nn.Sequential(nn.Linear(dim, hidden), nn.GELU(), nn.Dropout(0.1), nn.Linear(hidden, dim))

    def forward(self, x):
        return x + self.mlp(self.norm(x))


class MicroViT(nn.Module):
    def __init__(self, patch=4, dim=32, depth=2, num_classes=4):
        super().__init__()
        self.patch = patch
        self.embed = nn.Linear(patch * patch, dim)
        self.pos = nn.Parameter(torch.zeros(1, 4, dim))
        self.blocks = nn.Sequential(*[Block(dim, 2 * dim) for _ in range(depth)])
        self.head = nn.Linear(dim, num_classes)

    def forward(self, x):
        p = self.patch
        x = x.unfold(2, p, p).unfold(3, p, p).reshape(x.size(0), -1, p * p)
        x = self.blocks(self.embed(x) + self.pos)
        return self.head(x.mean(1))


def vit_micro(**kwargs):
    return MicroViT(**kwargs)
