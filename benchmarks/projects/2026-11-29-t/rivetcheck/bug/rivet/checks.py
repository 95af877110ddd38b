import torch

from .parallel import bare


@torch.no_grad()
def found_share(student, plates):
    net = bare(student)
    net.eval()
    hits = [(net(image).argmax(1) == kind).float().mean().item() for image, kind in plates]
    return sum(hits) / len(hits)
