import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(129)
pts = torch.rand(230, 3) * 2 - 1
inside = (pts.norm(dim=1) < 0.8).float().unsqueeze(1)
occupancy = nn.Sequential(nn.Linear(3, 40), nn.ReLU(), nn.Linear(40, 1))
opt = torch.optim.Adam(occupancy.parameters(), lr=5e-3)
loader = DataLoader(TensorDataset(pts, inside), batch_size=64, shuffle=True)

for epoch in range(5):
    mean = 0.0
    for p, o in loader:
        opt.zero_grad(set_to_none=True)
        for lo in range(0, len(p), 24):
            piece = slice(lo, lo + 24)
            weight = len(p[piece]) / len(p)
            loss = F.binary_cross_entropy_with_logits(occupancy(p[piece]), o[piece])
            (weight * loss).backward()
            mean += weight * loss.item() / len(loader)
        opt.step()
    print(epoch, round(mean, 4))
