import copy

import torch
from torch import nn


class EMA:
    def __init__(self, net, decay=0.98):
        self.shadow = copy.deepcopy(net).eval()
        for p in self.shadow.parameters():
            p.requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, net):
        for s, p in zip(self.shadow.parameters(), net.parameters()):
            s.lerp_(p, 1 - self.decay)


def main():
    torch.manual_seed(3)
    net = nn.Sequential(nn.Linear(5, 20), nn.GELU(), nn.Linear(20, 1))
    ema = EMA(net)
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
    held = torch.randn(40, 5)
    for it in range(40):
        x = torch.randn(16, 5)
        loss = nn.functional.mse_loss(net(x), x.amin(1, keepdim=True))
        loss.backward()
        opt.step()
        net.zero_grad()
        ema.update(net)
        if it % 20 == 19:
            err = (ema.shadow(held) - held.amin(1, keepdim=True)).abs().mean()
            print(it + 1, err.item())


if __name__ == "__main__":
    main()
