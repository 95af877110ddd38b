import torch


def clipped_norm(precision, optimizer, net, limit):
    return torch.nn.utils.clip_grad_norm_(net.parameters(), limit)


def largest(net):
    return max(p.grad.abs().max().item() for p in net.parameters() if p.grad is not None)
