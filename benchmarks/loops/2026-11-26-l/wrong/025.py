import torch
from torch import nn

torch.manual_seed(0)
ratings = [(torch.randint(0, 30, (16,)), torch.randint(0, 40, (16,)), torch.rand(16) * 5) for _ in range(20)]


class MF(nn.Module):
    def __init__(self, users, items, k=8):
        super().__init__()
        self.u = nn.Embedding(users, k)
        self.i = nn.Embedding(items, k)
        self.bias = nn.Parameter(torch.tensor(2.5))

    def forward(self, u, i):
        return (self.u(u) * self.i(i)).sum(-1) + self.bias


mf = MF(30, 40)
opt = torch.optim.Adagrad(mf.parameters(), lr=0.05)
for epoch in range(3):
    running_loss = 0.0
    for u, i, r in ratings:
        opt.zero_grad()
        loss = nn.functional.mse_loss(mf(u, i), r)
        loss.backward()
        opt.step()
        running_loss += loss
    print(f"epoch {epoch} rmse {(running_loss / len(ratings)).sqrt().item():.3f}")
