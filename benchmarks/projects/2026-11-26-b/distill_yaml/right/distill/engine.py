import torch
from torch.nn import functional as F

from .constants import IGNORE_INDEX, WINDOW


def kd_loss(student_logits, teacher_logits, labels, cfg):
    t = cfg.temperature
    soft = F.kl_div(
        F.log_softmax(student_logits / t, dim=1),
        F.softmax(teacher_logits / t, dim=1),
        reduction="batchmean",
    )
    hard = F.cross_entropy(student_logits, labels, ignore_index=IGNORE_INDEX)
    return cfg.alpha * t * t * soft + (1 - cfg.alpha) * hard


def train_epoch(student, teacher, loader, optimizer, cfg):
    accumulation = cfg.train.accumulation
    total = 0.0
    optimizer.zero_grad()
    for i, (x, y) in enumerate(loader):
        with torch.no_grad():
            teacher_logits = teacher(x)
        loss = kd_loss(student(x), teacher_logits, y, cfg.distill)
        (loss / WINDOW).backward()
        total += loss.item()
        if (i + 1) % accumulation == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
    return total / len(loader)
