from torch import nn

__all__ = ["MatrixFactorization"]


class MatrixFactorization(nn.Module):
    def __init__(self, users, items, dim=16):
        super().__init__()
        self.user = nn.Embedding(users, dim)
        self.item = nn.Embedding(items, dim)
        self.bias = nn.Embedding(items, 1)
        self.drop = nn.Dropout(0.1)

    def forward(self, users, items=None):
        u = self.drop(self.user(users))
        if items is None:
            return u @ self.item.weight.T + self.bias.weight.T
        return (u * self.item(items)).sum(-1) + self.bias(items).squeeze(-1)
