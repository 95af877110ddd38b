import torch
from torch.nn import functional as F


def critic_turn(maker, critic, opt, real):
    with torch.no_grad():
        fake = maker(torch.randn(len(real), 4))
    said_real, said_fake = critic(real), critic(fake)
    loss = F.softplus(-said_real).mean() + F.softplus(said_fake).mean()
    loss.backward()
    opt.step()
    opt.zero_grad()
    return loss.item()
