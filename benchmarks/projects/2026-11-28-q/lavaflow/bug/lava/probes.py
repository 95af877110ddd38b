import torch
from torch.nn import functional as F


@torch.no_grad()
def probe(net, slopes):
    net.eval()
    return sum(F.mse_loss(net(rock), heat).item() for rock, heat in slopes) / len(slopes)
