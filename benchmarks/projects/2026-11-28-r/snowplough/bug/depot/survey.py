import torch
from torch.nn.functional import l1_loss


def survey(net, roads):
    """Mean error in hours, and the worst road."""
    net.eval()
    errors = []
    for road, hours in roads:
        errors.append(l1_loss(net(road), hours).item())
    return sum(errors) / len(errors), torch.tensor(errors).max().item()
