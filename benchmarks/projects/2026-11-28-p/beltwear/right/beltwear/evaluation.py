import torch
from torch.nn.functional import l1_loss


@torch.no_grad()
def measure(net, batches):
    mode = net.training
    net.eval()
    errors = []
    for x, life in batches:
        errors.append(l1_loss(net(x), life).item())
    net.train(mode)
    return sum(errors) / len(errors)
