import torch
from torch.nn import functional as F


class Carriage:
    def __init__(self, net, feed):
        self.net, self.feed = net, feed

    def saw(self, timber):
        self.net.train()
        dust = 0.0
        for grain, knot in timber:
            loss = F.binary_cross_entropy_with_logits(self.net(grain), knot)
            self.feed.push(loss)
            dust += loss.detach()
        return dust.item() / len(timber)

    @torch.no_grad()
    def measure(self, timber):
        self.net.eval()
        losses = [F.binary_cross_entropy_with_logits(self.net(grain), knot) for grain, knot in timber]
        return torch.stack(losses).mean().item()
