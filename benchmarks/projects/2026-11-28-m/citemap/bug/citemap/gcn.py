import torch.nn.functional as F
from torch import nn


class GCN(nn.Module):
    def __init__(self, d_in, d_hid, d_out):
        super().__init__()
        self.l1 = nn.Linear(d_in, d_hid)
        self.l2 = nn.Linear(d_hid, d_out)

    def forward(self, x, adj):
        h = F.relu(adj @ self.l1(x))
        h = F.dropout(h, 0.5, training=self.training)
        return adj @ self.l2(h)
