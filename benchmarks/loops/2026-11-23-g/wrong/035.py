import torch
import torch.nn as nn
import torch.nn.functional as F


class GraphConv(nn.Module):
    def __init__(self, fin, fout):
        super().__init__()
        self.lin = nn.Linear(fin, fout)

    def forward(self, x, adj):
        deg = adj.sum(-1, keepdim=True).clamp(min=1)
        return self.lin(adj @ x / deg)


class GNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1, self.c2 = GraphConv(4, 16), GraphConv(16, 16)
        self.head = nn.Linear(16, 2)

    def forward(self, x, adj):
        h = F.relu(self.c1(x, adj))
        h = F.relu(self.c2(h, adj))
        return self.head(h.mean(0, keepdim=True))


class Accumulator:
    def __init__(self, every):
        self.every = every
        self.seen = 0

    def reset(self):
        self.seen = 0

    def ready(self):
        self.seen += 1
        return self.seen % self.every == 0


def make_graphs(n):
    graphs = []
    for _ in range(n):
        adj = (torch.rand(6, 6) > 0.5).float()
        graphs.append((torch.randn(6, 4), adj, torch.tensor([int(adj.sum() > 18)])))
    return graphs


torch.manual_seed(11)
graphs = make_graphs(22)
gnn = GNN()
adam = torch.optim.Adam(gnn.parameters(), lr=5e-3)
acc = Accumulator(every=8)
adam.zero_grad()

for epoch in range(3):
    acc.reset()
    running = 0.0
    for x, adj, y in graphs:
        loss = F.cross_entropy(gnn(x, adj), y)
        (loss / acc.every).backward()
        running += loss.item()
        if acc.ready():
            adam.step()
            adam.zero_grad()
    print(f"[{epoch}] {running / len(graphs):.4f}")
