import torch
from torch import nn

torch.manual_seed(12)
trunk = nn.Sequential(nn.Linear(6, 12), nn.BatchNorm1d(12), nn.ReLU()).requires_grad_(False)
probe = nn.Linear(12, 3)
opt = torch.optim.SGD(probe.parameters(), lr=0.3)
for epoch in range(4):
    trunk.eval()
    for _ in range(4):
        x = torch.randn(9, 6)
        with torch.no_grad():
            feats = trunk(x)
        opt.zero_grad()
        nn.functional.cross_entropy(probe(feats), x[:, :3].argmax(1)).backward()
        opt.step()
