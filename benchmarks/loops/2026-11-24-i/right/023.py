import torch
from torch import nn

torch.manual_seed(23)
G, C = nn.Linear(3, 4), nn.Sequential(nn.Linear(4, 16), nn.LeakyReLU(), nn.Linear(16, 1))
og, oc = torch.optim.Adam(G.parameters(), 1e-3, (0.0, 0.9)), torch.optim.Adam(C.parameters(), 1e-3, (0.0, 0.9))
for step in range(6):
    for _ in range(3):
        real, fake = torch.randn(8, 4) * 2, G(torch.randn(8, 3)).detach()
        mix = torch.lerp(real, fake, torch.rand(8, 1)).requires_grad_(True)
        (slope,) = torch.autograd.grad(C(mix).sum(), mix, create_graph=True)
        loss_c = C(fake).mean() - C(real).mean() + 10 * (slope.norm(dim=1) - 1).square().mean()
        oc.zero_grad()
        loss_c.backward()
        oc.step()
    og.zero_grad()
    loss_g = -C(G(torch.randn(8, 3))).mean()
    loss_g.backward()
    og.step()
print(loss_c.item(), loss_g.item())
