import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
seg = nn.Sequential(nn.Conv2d(1, 6, 3, padding=1), nn.ReLU(), nn.Conv2d(6, 1, 1))
disc = nn.Sequential(nn.Conv2d(1, 6, 3, stride=2), nn.LeakyReLU(0.2), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(6, 1))
opt_s = torch.optim.Adam(seg.parameters(), lr=2e-3)
opt_d = torch.optim.Adam(disc.parameters(), lr=1e-3)
hinge = lambda a, b: F.relu(1 - a).mean() + F.relu(1 + b).mean()
for it in range(10):
    img = torch.randn(6, 1, 12, 12)
    mask = (img > 0.3).float()
    prob = seg(img).sigmoid()
    opt_s.zero_grad()
    loss_s = F.binary_cross_entropy(prob, mask) - 0.05 * disc(prob).mean()
    loss_s.backward()
    opt_d.zero_grad()
    opt_s.step()
    loss_d = hinge(disc(mask), disc(prob.detach()))
    loss_d.backward()
    nn.utils.clip_grad_norm_(disc.parameters(), 1.0)
    opt_d.step()
print(loss_s.item(), loss_d.item())
