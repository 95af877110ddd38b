import math

import torch


@torch.no_grad()
def psnr_on(model, loader):
    model.eval()
    err, count = 0.0, 0
    for noisy, clean in loader:
        err += (model(noisy) - clean).pow(2).sum().item()
        count += clean.numel()
    return -10 * math.log10(err / count)
