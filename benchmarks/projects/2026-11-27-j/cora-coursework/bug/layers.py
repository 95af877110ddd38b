import torch.nn as nn
import torch.nn.functional as F


# Q1: graph convolution  H' = A_hat H W
class GraphConv(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.lin = nn.Linear(d_in, d_out)

    def forward(self, x, adj):
        return adj @ self.lin(x)


# Q2: two layers with dropout
class GCN(nn.Module):
    def __init__(self, d_in, d_hid, d_out):
        super().__init__()
        self.c1, self.c2 = GraphConv(d_in, d_hid), GraphConv(d_hid, d_out)

    def forward(self, x, adj):
        h = F.dropout(F.relu(self.c1(x, adj)), 0.5, self.training)
        return self.c2(h, adj)
