import torch
from torch.nn import functional as F


@torch.no_grad()
def probe(net, slopes):
    mode = net.training
    net.eval()
    error = sum(F.mse_loss(net(rock), heat).item() for rock, heat in slopes) / len(slopes)
    net.train(mode)
    return error
