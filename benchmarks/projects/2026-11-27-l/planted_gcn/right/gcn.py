import torch.nn as nn
import torch.nn.functional as F


class GCN(nn.Module):
    def __init__(self, n_in, hidden, n_out, p=0.3):
        super().__init__()
        self.w1, self.w2, self.p = nn.Linear(n_in, hidden), nn.Linear(hidden, n_out), p

    def forward(self, x, adj):
        h = F.relu(adj @ self.w1(x))
        return adj @ self.w2(F.dropout(h, self.p, self.training))
