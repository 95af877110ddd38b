import torch
import torch.nn.functional as F


def info_nce(z, temperature):
    a, b = F.normalize(z, dim=1).chunk(2)
    logits = a @ b.T / temperature
    return F.cross_entropy(logits, torch.arange(len(a)))


def push(net, views, temperature):
    """One micro-batch: both views through the encoder, gradients added up."""
    loss = info_nce(net(torch.cat(views)), temperature)
    loss.backward()
    return loss.item()
