import math

import torch
from torch import nn
from torch.nn import functional as F


class TwoTower(nn.Module):
    def __init__(self, words=50, width=24):
        super().__init__()
        self.bag = nn.EmbeddingBag(words, width)
        self.heads = nn.Sequential(nn.Dropout(0.2), nn.Linear(width, width))
        self.teasers = nn.Sequential(nn.Dropout(0.2), nn.Linear(width, width))
        self.log_scale = nn.Parameter(torch.tensor(math.log(5.0)))

    def forward(self, head, teaser):
        a = F.normalize(self.heads(self.bag(head)), dim=1)
        b = F.normalize(self.teasers(self.bag(teaser)), dim=1)
        return self.log_scale.exp() * a @ b.T


def info_nce(scores):
    own = torch.arange(len(scores))
    return (F.cross_entropy(scores, own) + F.cross_entropy(scores.T, own)) / 2
