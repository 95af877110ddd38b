import torch
from torch.nn import functional as F


def regression_loss(net, x, y):
    return F.mse_loss(net(x).squeeze(1), y)


def backprop(loss):
    loss.backward()
    return loss


def tame(net, limit):
    return torch.nn.utils.clip_grad_norm_(net.parameters(), limit).item()


def advance(optimizer):
    optimizer.step()
    return optimizer.param_groups[0]["lr"]


@torch.no_grad()
def rmse(net, x, y):
    net.eval()
    return regression_loss(net, x, y).sqrt().item()
