import torch
from torch import nn

WAYS, SHOTS, QUERIES = 3, 4, 6


def episode():
    centres = torch.randn(WAYS, 10)
    support = centres[:, None] + 0.4 * torch.randn(WAYS, SHOTS, 10)
    query = centres[:, None] + 0.4 * torch.randn(WAYS, QUERIES, 10)
    return support, query


encoder = nn.Sequential(nn.Linear(10, 24), nn.ReLU(), nn.Linear(24, 12))
optimizer = torch.optim.Adam(encoder.parameters(), lr=1e-3)
target = torch.arange(WAYS).repeat_interleave(QUERIES)

for i in range(50):
    support, query = episode()
    proto = encoder(support).mean(dim=1)
    distance = torch.cdist(encoder(query).flatten(0, 1), proto)
    loss = nn.functional.cross_entropy(-distance, target)
    loss.backward()
    optimizer.step()
    if i % 10 == 0:
        optimizer.zero_grad()
        acc = (distance.argmin(1) == target).float().mean().item()
        print(f"episode {i} loss {loss.item():.3f} acc {acc:.2f}")
