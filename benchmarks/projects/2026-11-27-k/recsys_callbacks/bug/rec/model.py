import torch
from torch import nn


class Factorizer(nn.Module):
    def __init__(self, users, items, dim, dropout):
        super().__init__()
        self.user = nn.Embedding(users, dim)
        self.item = nn.Embedding(items, dim)
        self.drop = nn.Dropout(dropout)
        for table in (self.user, self.item):
            nn.init.normal_(table.weight, std=0.1)

    def forward(self, user, item):
        return (self.drop(self.user(user)) * self.item(item)).sum(1)

    def all_scores(self, user):
        return self.drop(self.user(user)) @ self.item.weight.T


def bpr(model, user, pos, neg):
    return -nn.functional.logsigmoid(model(user, pos) - model(user, neg)).mean()
