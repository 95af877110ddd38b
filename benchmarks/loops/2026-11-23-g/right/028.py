"""Large-batch contrastive training with cached gradients: embeddings first, chunk-wise backward second."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(45)
BATCH, CHUNK, STEPS, TEMP = 32, 8, 6, 0.1


class Tower(nn.Module):
    def __init__(self, n_in, dim=8):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(n_in, 20), nn.ReLU(), nn.Linear(20, dim))

    def forward(self, x):
        return F.normalize(self.f(x), dim=1)


def info_nce(q, k):
    return F.cross_entropy(q @ k.t() / TEMP, torch.arange(len(q)))


question, passage = Tower(12), Tower(15)
optimizer = torch.optim.AdamW([*question.parameters(), *passage.parameters()], lr=3e-3)
mix_q, mix_p = torch.randn(6, 12), torch.randn(6, 15)

for step in range(STEPS):
    topic = torch.randn(BATCH, 6)
    sides = [(question, topic @ mix_q), (passage, topic @ mix_p)]

    with torch.no_grad():
        cached = [torch.cat([tower(c) for c in x.split(CHUNK)]) for tower, x in sides]
    for e in cached:
        e.requires_grad_()
    loss = info_nce(*cached)
    loss.backward()

    for (tower, x), e in zip(sides, cached):
        for piece, g in zip(x.split(CHUNK), e.grad.split(CHUNK)):
            tower(piece).backward(gradient=g)
    nn.utils.clip_grad_norm_([p for tower, _ in sides for p in tower.parameters()], 2.0)
    optimizer.step()
    optimizer.zero_grad()
    print(f"step {step} nce {loss.item():.4f}")
