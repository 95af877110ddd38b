import torch.nn as nn
import torch.nn.functional as F


class GraphConv(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.w = nn.Linear(n_in, n_out, bias=False)

    def forward(self, x, a):
        return a @ self.w(x)


class GCN(nn.Module):
    def __init__(self, n_in, n_hid, n_out, p=0.5):
        super().__init__()
        self.c1, self.c2, self.p = GraphConv(n_in, n_hid), GraphConv(n_hid, n_out), p

    def forward(self, x, a):
        h = F.dropout(F.relu(self.c1(x, a)), self.p, self.training)
        return self.c2(h, a)
