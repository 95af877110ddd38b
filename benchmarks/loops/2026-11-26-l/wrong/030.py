import torch
import torch.nn.functional as F

torch.manual_seed(0)
N = 60
A = (torch.rand(N, N) < 0.1).float()
A = ((A + A.T) > 0).float() + torch.eye(N)
deg = A.sum(1).rsqrt()
A_hat = deg[:, None] * A * deg[None, :]
X = torch.randn(N, 16)
labels = torch.randint(0, 4, (N,))
train_idx, test_idx = torch.arange(40), torch.arange(40, N)


class GCN(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w1 = torch.nn.Linear(16, 32)
        self.w2 = torch.nn.Linear(32, 4)

    def forward(self, a, x):
        h = F.dropout(F.relu(a @ self.w1(x)), 0.5, self.training)
        return a @ self.w2(h)


gcn = GCN()
optimizer = torch.optim.Adam(gcn.parameters(), lr=0.01, weight_decay=5e-4)
for epoch in range(20):
    gcn.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(gcn(A_hat, X)[train_idx], labels[train_idx])
    loss.backward()
    optimizer.step()
    gcn.eval()
    pred = gcn(A_hat, X).argmax(dim=1)
    acc = (pred[test_idx] == labels[test_idx]).float().mean()
    if epoch % 5 == 0:
        print(epoch, loss.item(), acc.item())
