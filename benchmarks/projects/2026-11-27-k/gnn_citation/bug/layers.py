import torch
from torch import nn


class GCN(nn.Module):
    def __init__(self, d_in, d_hidden, d_out, p=0.5):
        super().__init__()
        self.w1 = nn.Linear(d_in, d_hidden)
        self.w2 = nn.Linear(d_hidden, d_out)
        self.p = p

    def forward(self, x, adj):
        h = torch.relu(adj @ self.w1(x))
        h = nn.functional.dropout(h, self.p, self.training)
        return adj @ self.w2(h)
