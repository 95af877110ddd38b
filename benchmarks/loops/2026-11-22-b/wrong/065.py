import copy

import torch
import torch.nn.functional as F
from torch import nn, optim

from ssl_data import two_stream_loader
from wideresnet import WideResNet


def update_teacher(student: nn.Module, teacher: nn.Module, decay: float, step: int) -> None:
    decay = min(1 - 1 / (step + 1), decay)
    with torch.no_grad():
        for s, t in zip(student.parameters(), teacher.parameters()):
            t.mul_(decay).add_(s, alpha=1 - decay)
        for s, t in zip(student.buffers(), teacher.buffers()):
            t.copy_(s)


def consistency_weight(step: int, rampup: int, final: float) -> float:
    phase = 1.0 - min(step / rampup, 1.0)
    return final * float(torch.exp(torch.tensor(-5.0 * phase * phase)))


class MeanTeacher:
    def __init__(self, cfg):
        self.cfg = cfg
        self.student = WideResNet(28, 2, cfg.classes).to(cfg.device)
        self.teacher = copy.deepcopy(self.student)
        for p in self.teacher.parameters():
            p.requires_grad_(False)
        self.opt = optim.SGD(self.student.parameters(), cfg.lr, momentum=0.9, weight_decay=2e-4, nesterov=True)
        self.sched = optim.lr_scheduler.CosineAnnealingLR(self.opt, cfg.steps)

    def fit(self):
        cfg = self.cfg
        self.student.train()
        self.teacher.train()
        for step, (labeled, y, weak, strong) in enumerate(two_stream_loader(cfg)):
            if step >= cfg.steps:
                break
            self.teacher.zero_grad()
            with torch.no_grad():
                target = self.teacher(weak.to(cfg.device)).softmax(-1)
            logits = self.student(torch.cat([labeled, strong]).to(cfg.device))
            sup, unsup = logits.split([len(labeled), len(strong)])
            loss_sup = F.cross_entropy(sup, y.to(cfg.device))
            loss_con = F.mse_loss(unsup.softmax(-1), target)
            loss = loss_sup + consistency_weight(step, cfg.rampup, cfg.weight) * loss_con
            loss.backward()
            self.opt.step()
            self.sched.step()
            update_teacher(self.student, self.teacher, 0.999, step)
            if step % 100 == 0:
                print(f"{step} sup {loss_sup.item():.3f} con {loss_con.item():.3f}")
        return self.teacher
