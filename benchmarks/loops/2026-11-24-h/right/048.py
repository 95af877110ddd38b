# Recommender, implicit feedback (kernel)
import numpy as np
import torch
import torch.nn as nn

rs = np.random.RandomState(0)
torch.manual_seed(0)
USERS, ITEMS, K = 40, 60, 3
inter = [(u, i) for u in range(USERS) for i in range(ITEMS) if (u * 7 + i) % 9 == 0]


class MF(nn.Module):
    def __init__(self, d=12):
        super().__init__()
        self.U, self.I = nn.Embedding(USERS, d), nn.Embedding(ITEMS, d)
        self.b = nn.Embedding(ITEMS, 1)

    def forward(self, u, i):
        return (self.U(u) * self.I(i)).sum(1) + self.b(i).squeeze(1)


def triplets(batch):
    order = rs.permutation(len(inter))
    for s in range(0, len(order) - batch + 1, batch):
        pos = torch.tensor([inter[j] for j in order[s:s + batch]])
        yield pos[:, 0], pos[:, 1], torch.from_numpy(rs.randint(0, ITEMS, batch))


mf = MF()
optim = torch.optim.Adam(mf.parameters(), lr=0.02)
n_mini, losses = 0, []
for epoch in range(5):
    for u, i, j in triplets(11):
        if n_mini % K == 0:
            optim.zero_grad()
        bpr = -nn.functional.logsigmoid(mf(u, i) - mf(u, j)).mean()
        bpr.div(K).backward()
        n_mini += 1
        losses.append(bpr.item())
        if n_mini % K == 0:
            optim.step()
    print(f"epoch {epoch}: bpr {np.mean(losses[-20:]):.4f} ({n_mini} mini-batches so far)")
