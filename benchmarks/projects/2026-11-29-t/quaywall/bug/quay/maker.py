import torch
from torch.nn import functional as F


def maker_turn(maker, critic, opt, n):
    opt.zero_grad()
    loss = F.softplus(-critic(maker(torch.randn(n, 4)))).mean()
    loss.backward()
    opt.step()
    return loss.item()
