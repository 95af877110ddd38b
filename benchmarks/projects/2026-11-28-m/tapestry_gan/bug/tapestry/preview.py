import torch


@torch.no_grad()
def spread(gen, z):
    gen.eval()
    pts = gen(z)
    return pts.norm(dim=1).mean().item(), pts.norm(dim=1).std().item()
