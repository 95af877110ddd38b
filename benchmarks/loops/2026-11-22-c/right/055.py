import copy
import math

import torch
import torch.nn.functional as F

from semi import labelled_loader, unlabelled_loader


def ramp(step, length):
    return math.exp(-5 * (1 - min(1.0, step / length)) ** 2)


@torch.no_grad()
def follow(teacher, student, decay):
    for t, s in zip(teacher.parameters(), student.parameters()):
        t.mul_(decay).add_(s, alpha=1 - decay)


def train(student, steps=40_000, decay=0.999, weight=12.0):
    teacher = copy.deepcopy(student).requires_grad_(False)
    optimizer = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9, nesterov=True)
    rate = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=steps)
    scaler = torch.amp.GradScaler("cuda")
    student.train()
    teacher.train()
    for step, (supervised, loose) in enumerate(zip(labelled_loader(), unlabelled_loader())):
        if step == steps:
            break
        x, y = (t.cuda() for t in supervised)
        weak, strong = (t.cuda() for t in loose)
        with torch.autocast("cuda", dtype=torch.float16):
            class_loss = F.cross_entropy(student(x), y)
            with torch.no_grad():
                goal = teacher(weak).softmax(-1)
            consistency = F.mse_loss(student(strong).softmax(-1), goal)
            loss = class_loss + weight * ramp(step, 4000) * consistency
        optimizer.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        rate.step()
        follow(teacher, student, min(decay, 1 - 1 / (step + 2)))
        if step % 200 == 0:
            print(step, class_loss.item(), consistency.item())
    return teacher
