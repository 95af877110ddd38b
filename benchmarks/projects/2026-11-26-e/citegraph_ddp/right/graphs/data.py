import torch
from torch.utils.data import Dataset


class RandomCitations(Dataset):
    def __init__(self, n=40, nodes=10, feats=6):
        g = torch.Generator().manual_seed(5)
        self.x = torch.randn(n, nodes, feats, generator=g)
        adj = (torch.rand(n, nodes, nodes, generator=g) < 0.3).float()
        adj = ((adj + adj.transpose(1, 2) + torch.eye(nodes)) > 0).float()
        self.adj = adj / adj.sum(-1, keepdim=True)
        self.y = (self.x.mean((1, 2)) > 0).long()

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.adj[i], self.y[i]
