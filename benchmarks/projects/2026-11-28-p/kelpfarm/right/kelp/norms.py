import torch


def gradient_norm(scaler, optimizer, net):
    scaler.unscale_(optimizer)
    norms = [p.grad.norm() for p in net.parameters() if p.grad is not None]
    return torch.stack(norms).norm().item()
