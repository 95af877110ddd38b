import argparse
import itertools

import torch
from torch.nn import functional as F

from data import build_loader
from models import Net


def get_args():
    parser = argparse.ArgumentParser("distil")
    parser.add_argument("--temperature", default=4.0, type=float)
    parser.add_argument("--alpha", default=0.7, type=float)
    parser.add_argument("--epochs", default=3, type=int)
    return parser.parse_args()


def kd(student, teacher, t):
    return F.kl_div(F.log_softmax(student / t, 1), F.softmax(teacher / t, 1), reduction="batchmean") * t * t


def main(args):
    teacher, student, adapter = Net("large"), Net("small"), torch.nn.Linear(3, 3)
    teacher.eval()
    params = list(itertools.chain(student.parameters(), adapter.parameters()))
    optimizer = torch.optim.AdamW(params, lr=5e-4)
    for epoch in range(args.epochs):
        student.train()
        for x, y in build_loader("train"):
            with torch.no_grad():
                soft = teacher(x)
            logits = adapter(student(x))
            loss = args.alpha * kd(logits, soft, args.temperature) + (1 - args.alpha) * F.cross_entropy(logits, y)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(params, 5.0)
            optimizer.step()
        print("epoch", epoch, "loss", loss.item())


if __name__ == "__main__":
    main(get_args())
