import torch
from torch import nn

torch.manual_seed(53)
body = nn.Linear(6, 6)
heads = nn.ModuleList(nn.Linear(6, 1) for _ in range(3))
opt = torch.optim.Adam([*body.parameters(), *heads.parameters()], lr=1e-3)
for _ in range(10):
    x = torch.randn(7, 6)
    feats = torch.tanh(body(x))
    cut = feats.detach().requires_grad_(True)
    opt.zero_grad()
    for k, head in enumerate(heads):
        ((head(cut).squeeze(1) - x[:, k]).pow(2).mean() / len(heads)).backward()
    feats.backward(cut.grad)
    opt.step()
