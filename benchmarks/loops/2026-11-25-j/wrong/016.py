import torch
from torch import nn

torch.manual_seed(17)
EVERY = 4
graphs = [(torch.rand(6, 6).round(), torch.randn(6, 5), torch.randint(0, 3, (6,))) for _ in range(16)]


class GCN(nn.Module):
    def __init__(self):
        super().__init__()
        self.w1, self.w2 = nn.Linear(5, 12), nn.Linear(12, 3)

    def forward(self, adj, feats):
        adj = adj + torch.eye(len(adj))
        adj = adj / adj.sum(1, keepdim=True)
        return self.w2(adj @ torch.relu(self.w1(adj @ feats)))


gcn = GCN()
optimizer = torch.optim.SGD(gcn.parameters(), lr=0.1)
count = 0
for epoch in range(2):
    for adj, feats, node_labels in graphs:
        count += 1
        loss = nn.functional.cross_entropy(gcn(adj, feats), node_labels)
        (loss / EVERY).backward()
        if count == EVERY:
            optimizer.step()
            count = 0
        gcn.zero_grad()
    print("epoch", epoch, "loss", loss.item())
