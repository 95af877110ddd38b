import torch
from torch import nn

torch.manual_seed(16)
x = torch.randn(50, 2)
y = (x[:, 0] * x[:, 1] > 0).float()
net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.LBFGS(net.parameters(), max_iter=10, line_search_fn="strong_wolfe")


def closure():
    opt.zero_grad()
    loss = nn.functional.binary_cross_entropy_with_logits(net(x).squeeze(1), y)
    loss.backward()
    return loss


for k in range(3):
    print(k, float(opt.step(closure)))
