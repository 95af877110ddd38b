import torch
from torch.nn import functional as F


def info_nce(q, d, settings):
    scores = q @ d.T / settings.temperature
    target = torch.arange(len(q), device=q.device)
    return F.cross_entropy(scores, target)


def limit(accelerator, model, max_norm):
    if accelerator.sync_gradients:
        accelerator.clip_grad_norm_(model.parameters(), max_norm)
