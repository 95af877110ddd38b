"""Knowledge distillation with Accelerate."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from accelerate import Accelerator
from torch.utils.data import DataLoader, TensorDataset


def kd(student_logits, teacher_logits, temp):
    return F.kl_div(
        F.log_softmax(student_logits / temp, -1), F.softmax(teacher_logits / temp, -1), reduction="batchmean"
    ) * temp * temp


def classifier(width):
    return nn.Sequential(nn.Linear(16, width), nn.ReLU(), nn.Linear(width, 5))


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--accum", type=int, default=4)
    p.add_argument("--num_epochs", type=int, default=3)
    p.add_argument("--alpha", type=float, default=0.7)
    p.add_argument("--temp", type=float, default=2.0)
    return p.parse_args()


def main(args):
    accelerator = Accelerator(gradient_accumulation_steps=args.accum, cpu=True)
    torch.manual_seed(6)
    x = torch.randn(128, 16)
    y = (x[:, :5] + 0.2 * torch.randn(128, 5)).argmax(1)
    teacher = classifier(128).eval().requires_grad_(False)
    student = classifier(12)
    optimizer = torch.optim.SGD(student.parameters(), lr=0.2, momentum=0.9)
    loader = DataLoader(TensorDataset(x, y), batch_size=8, shuffle=True)
    student, optimizer, loader = accelerator.prepare(student, optimizer, loader)
    teacher.to(accelerator.device)

    for epoch in range(args.num_epochs):
        student.train()
        total = 0.0
        for xb, yb in loader:
            with accelerator.accumulate(student):
                with torch.no_grad():
                    target = teacher(xb)
                logits = student(xb)
                loss = args.alpha * F.cross_entropy(logits, yb) + (1 - args.alpha) * kd(logits, target, args.temp)
                loss = loss / args.accum
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(student.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad()
            total += loss.item() * args.accum
        accelerator.print(f"epoch {epoch} loss {total / len(loader):.4f}")


if __name__ == "__main__":
    main(parse())
