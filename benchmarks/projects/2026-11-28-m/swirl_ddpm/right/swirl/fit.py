import copy

import torch
from torch.nn import functional as F

from swirl.precision import half, loss_scaler


def points(n):
    r = torch.rand(n, generator=torch.Generator().manual_seed(4)) * 3 + 0.5
    return torch.stack([r * (2 * r).cos(), r * (2 * r).sin()], 1) / 3


def fit(net, diffusion, opts):
    opt = torch.optim.AdamW(net.parameters(), lr=opts.lr)
    scaler = loss_scaler(opts)
    ema = copy.deepcopy(net).requires_grad_(False)
    data = points(opts.points)
    for epoch in range(opts.epochs):
        running = 0.0
        for x0 in data[torch.randperm(len(data))].split(opts.batch):
            opt.zero_grad(set_to_none=True)
            xt, t, eps = diffusion.corrupt(x0)
            with half(opts):
                loss = F.mse_loss(net(xt, t).float(), eps)
            scaler.scale(loss).backward()
            scaler.step(opt)
            scaler.update()
            running += loss.item()
            with torch.no_grad():
                for slow, fast in zip(ema.parameters(), net.parameters()):
                    slow.lerp_(fast, 1 - opts.ema)
        print(f"epoch {epoch} eps-mse {running / (opts.points // opts.batch):.4f}")
    return ema
