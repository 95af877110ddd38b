import torch
import torch.nn.functional as F
from torch import nn


class LinkPredictor(nn.Module):
    """Dot products of node embeddings after one propagation."""

    def __init__(self, nodes, d=8):
        super().__init__()
        self.z = nn.Embedding(nodes, d)
        self.w = nn.Linear(d, d)

    def forward(self, adj, pairs):
        h = self.w(adj @ self.z.weight)
        return (h[pairs[:, 0]] * h[pairs[:, 1]]).sum(-1)


class Runner:
    window = 4

    def __init__(self, adj, edges):
        self.adj, self.edges = adj, edges
        self.model = LinkPredictor(len(adj))
        self.opt = torch.optim.Adam(self.model.parameters(), lr=1e-2)
        self.micro = 0
        self.updates = 0

    def negatives(self, like):
        return torch.randint(0, len(self.adj), like.shape)

    def micro_batch(self, pos):
        pairs = torch.cat([pos, self.negatives(pos)])
        truth = torch.cat([torch.ones(len(pos)), torch.zeros(len(pos))])
        loss = F.binary_cross_entropy_with_logits(self.model(self.adj, pairs), truth)
        loss.mul(1 / self.window).backward()
        self.micro += 1
        if self.micro % self.window == 0:
            self.opt.step()
            self.opt.zero_grad()
            self.updates += 1
        return loss.item()

    def fit(self, epochs):
        for epoch in range(epochs):
            order = torch.randperm(len(self.edges))
            log = [self.micro_batch(self.edges[i]) for i in order.split(10)]
            print(epoch, self.micro, self.updates, sum(log) / len(log))


torch.manual_seed(0)
adj = (torch.rand(15, 15) > 0.6).float()
adj = adj / adj.sum(1, keepdim=True).clamp(min=1)
Runner(adj, torch.randint(0, 15, (60, 2))).fit(epochs=4)
