from typing import Iterable, Tuple

import torch
import torch.nn as nn
import torch.nn.functional as F


def dice_loss(logit, mask, eps=1.0):
    p = logit.sigmoid().flatten(1)
    m = mask.flatten(1)
    return (1 - (2 * (p * m).sum(1) + eps) / (p.sum(1) + m.sum(1) + eps)).mean()


class Segmenter(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Conv2d(1, 8, 3, 2, 1)
        self.mid = nn.Conv2d(8, 8, 3, 1, 1)
        self.up = nn.ConvTranspose2d(8, 1, 2, 2)

    def forward(self, x):
        return self.up(F.relu(self.mid(F.relu(self.down(x)))))


class Learner:
    def __init__(self, net: nn.Module, lr: float, merge: int):
        self.net = net
        self.merge = merge
        self.opt = torch.optim.AdamW(net.parameters(), lr=lr)
        self.log = []

    def _backprop(self, img, mask) -> float:
        self.opt.zero_grad()
        logit = self.net(img)
        cost = F.binary_cross_entropy_with_logits(logit, mask) + dice_loss(logit, mask)
        (cost / self.merge).backward()
        return cost.item()

    def _due(self, k: int) -> bool:
        return k % self.merge == self.merge - 1

    def run_epoch(self, batches: Iterable[Tuple[torch.Tensor, torch.Tensor]]):
        self.net.train()
        for k, (img, mask) in enumerate(batches):
            self.log.append(self._backprop(img, mask))
            if self._due(k):
                self.opt.step()
        return sum(self.log[-12:]) / 12


def fake_scans(n_batches=12, bs=2):
    for _ in range(n_batches):
        img = torch.randn(bs, 1, 16, 16)
        yield img, (img > 0.3).float()


if __name__ == "__main__":
    torch.manual_seed(7)
    learner = Learner(Segmenter(), lr=1e-2, merge=3)
    for e in range(4):
        print(e, round(learner.run_epoch(fake_scans()), 4))
