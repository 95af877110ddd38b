import torch
from torch.nn.utils import clip_grad_norm_


def finish(scaler, optimizer, net, max_norm=3.0):
    """Cuts, checks and applies what the backwards have left."""
    scaler.unscale_(optimizer)
    norm = clip_grad_norm_(net.parameters(), max_norm)
    if torch.isfinite(norm):
        scaler.step(optimizer)
    scaler.update()
    return norm.item()
