import argparse
import math

import torch
from torch.nn import functional as F
from torch.nn.utils import clip_grad_norm_

from kd.dist_utils import defer, distribute, gloo
from kd.nets import mlp, pretrained_teacher
from kd.patterns import build_loader
from kd.updates import advance


def soft_loss(student_logits, teacher_logits, y, tau):
    soft = F.kl_div(
        F.log_softmax(student_logits / tau, 1), F.softmax(teacher_logits / tau, 1), reduction="batchmean"
    )
    return 0.7 * tau * tau * soft + 0.3 * F.cross_entropy(student_logits, y)


def train_epoch(student, teacher, loader, optimizer, scheduler, args):
    student.train()
    optimizer.zero_grad()
    total = 0.0
    for n, (x, y) in enumerate(loader, 1):
        last = n % args.accum == 0 or n == len(loader)
        with torch.no_grad():
            target = teacher(x)
        with defer(student, until=last):
            loss = soft_loss(student(x), target, y, args.tau)
            (loss / args.accum).backward()
        total += loss.item()
        if last:
            clip_grad_norm_(student.parameters(), args.max_norm)
            advance(optimizer, scheduler)
            optimizer.zero_grad()
    return total / len(loader)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=3)
    p.add_argument("--accum", type=int, default=2)
    p.add_argument("--tau", type=float, default=2.0)
    p.add_argument("--max-norm", type=float, default=0.5)
    args = p.parse_args()
    torch.manual_seed(0)
    with gloo() as (rank, world):
        loader = build_loader(250, 16, rank, world)
        teacher = pretrained_teacher(loader.dataset)
        student = distribute(mlp(24, 1, p=0.1))
        optimizer = torch.optim.SGD(student.parameters(), lr=0.3, momentum=0.9)
        updates = args.epochs * math.ceil(len(loader) / args.accum)
        scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, updates)
        for epoch in range(args.epochs):
            loader.sampler.set_epoch(epoch)
            print(epoch, round(train_epoch(student, teacher, loader, optimizer, scheduler, args), 4))


if __name__ == "__main__":
    main()
