import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(22)
N, C = 80, 4
community = torch.arange(N) % C
prob = torch.where(community[:, None] == community[None], 0.35, 0.03)
adj = (torch.rand(N, N) < prob).float()
adj = ((adj + adj.t()) > 0).float() + torch.eye(N)
norm = adj.sum(1).rsqrt()
adj = norm[:, None] * adj * norm[None]
feats = torch.randn(N, 10) + F.one_hot(community, 10) * 0.8
train_mask = torch.rand(N) < 0.4


class GCN(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(10, 16), nn.Linear(16, C)

    def forward(self, x):
        x = F.dropout(torch.relu(adj @ self.a(x)), 0.5, self.training)
        return adj @ self.b(x)


gcn = GCN()
opt = torch.optim.Adam(gcn.parameters(), lr=0.01, weight_decay=5e-4)
for epoch in range(1, 41):
    gcn.train()
    opt.zero_grad()
    loss = F.cross_entropy(gcn(feats)[train_mask], community[train_mask])
    loss.backward()
    opt.step()

    gcn.eval()
    guess = gcn(feats).argmax(dim=1)
    if epoch % 10 == 0:
        acc = (guess[~train_mask] == community[~train_mask]).float().mean().item()
        print(f"{epoch:03d} loss {loss.item():.3f} held-out {acc:.3f}")
