import copy
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class SSLConfig:
    alpha: float = 0.97
    ramp: int = 20
    weight: float = 2.0
    iters: int = 40
    log_every: int = 10


class MeanTeacher(nn.Module):
    def __init__(self, student):
        super().__init__()
        self.student = student
        self.teacher = copy.deepcopy(student)
        self.teacher.requires_grad_(False)
        self.teacher.eval()

    @torch.no_grad()
    def track(self, alpha):
        for t, s in zip(self.teacher.state_dict().values(), self.student.state_dict().values()):
            if t.dtype.is_floating_point:
                t.mul_(alpha).add_(s, alpha=1 - alpha)
            else:
                t.copy_(s)

    def losses(self, xl, yl, xu):
        logits = self.student(torch.cat([xl, xu + 0.1 * torch.randn_like(xu)]))
        sup = F.cross_entropy(logits[:len(xl)], yl)
        with torch.no_grad():
            target = self.teacher(xu).softmax(-1)
        return sup, F.mse_loss(logits[len(xl):].softmax(-1), target)


def sample(n):
    x = torch.randn(n, 6)
    return x, (x[:, :3].sum(1) > 0).long()


if __name__ == "__main__":
    cfg = SSLConfig()
    torch.manual_seed(1)
    mt = MeanTeacher(nn.Sequential(nn.Linear(6, 24), nn.BatchNorm1d(24), nn.ReLU(), nn.Dropout(0.3), nn.Linear(24, 2)))
    sgd = torch.optim.SGD(mt.student.parameters(), lr=0.1, momentum=0.9, nesterov=True)
    for it in range(1, cfg.iters + 1):
        sup, cons = mt.losses(*sample(8), sample(24)[0])
        (sup + cfg.weight * min(1.0, it / cfg.ramp) * cons).backward()
        sgd.step()
        sgd.zero_grad()
        mt.track(min(cfg.alpha, 1 - 1 / (it + 1)))
        if it % cfg.log_every == 0:
            x, y = sample(200)
            with torch.no_grad():
                acc = (mt.teacher(x).argmax(1) == y).float().mean().item()
            print(f"{it} sup {sup.item():.3f} cons {cons.item():.4f} teacher acc {acc:.2f}")
