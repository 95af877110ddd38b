import copy

import torch
from torch.nn import functional as F


class Ema:
    def __init__(self, net, decay):
        self.shadow = copy.deepcopy(net).requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def follow(self, net):
        for s, p in zip(self.shadow.parameters(), net.parameters()):
            s.lerp_(p, 1 - self.decay)


def fit(net, noise, precision, data, train):
    opt = torch.optim.AdamW(net.parameters(), lr=train["lr"])
    scaler = precision.make_scaler()
    ema = Ema(net, train["ema"])
    for it in range(train["iterations"]):
        clean = data[torch.randint(0, len(data), (train["batch"],))]
        noisy, t, eps = noise.corrupt(clean)
        opt.zero_grad(set_to_none=True)
        with precision.region():
            loss = F.mse_loss(net(noisy, t).float(), eps)
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
        ema.follow(net)
        if it % 10 == 0:
            print(it, f"{loss.item():.4f}")
    return ema.shadow
