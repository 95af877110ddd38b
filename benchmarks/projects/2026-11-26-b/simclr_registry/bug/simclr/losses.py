import torch
from torch.nn import functional as F


def nt_xent(z1, z2, temperature):
    z = F.normalize(torch.cat([z1, z2]), dim=1)
    similarity = z @ z.T / temperature
    similarity = similarity.masked_fill(torch.eye(len(z), dtype=torch.bool), -1e9)
    half = len(z1)
    targets = torch.cat([torch.arange(half, 2 * half), torch.arange(half)])
    return F.cross_entropy(similarity, targets)
