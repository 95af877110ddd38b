import torch


def grad_norm(scaler, optimizer):
    norms = [p.grad.norm() for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
    return torch.stack(norms).norm().item() / scaler.scale_value()
