import argparse

import torch
import torch.nn.functional as F
from torch import nn


def kd_loss(student_logits, teacher_logits, labels, T, alpha):
    soft = F.kl_div(
        F.log_softmax(student_logits / T, dim=1),
        F.softmax(teacher_logits / T, dim=1),
        reduction="batchmean",
    )
    return alpha * T * T * soft + (1 - alpha) * F.cross_entropy(student_logits, labels)


def mlp(width):
    return nn.Sequential(nn.Flatten(), nn.Linear(49, width), nn.ReLU(), nn.Dropout(0.1), nn.Linear(width, 6))


def distill(args, teacher, student, batches):
    teacher.eval()
    opt = torch.optim.SGD(student.parameters(), lr=args.lr, momentum=0.9)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.9)
    for epoch in range(args.epochs):
        student.train()
        agree = total = 0
        for images, labels in batches:
            with torch.no_grad():
                target_logits = teacher(images)
            logits = student(images)
            loss = kd_loss(logits, target_logits, labels, args.temperature, args.alpha)
            loss.backward()
            gnorm = nn.utils.clip_grad_norm_(student.parameters(), args.clip)
            opt.zero_grad(set_to_none=False)
            opt.step()
            agree += (logits.argmax(1) == target_logits.argmax(1)).sum().item()
            total += len(labels)
        sched.step()
        print(f"epoch {epoch} loss {loss.item():.4f} |g| {gnorm.item():.3f} agreement {agree / total:.2%}")


def main(argv=None):
    p = argparse.ArgumentParser("kd")
    p.add_argument("--lr", type=float, default=0.1)
    p.add_argument("--epochs", type=int, default=3)
    p.add_argument("--temperature", type=float, default=4.0)
    p.add_argument("--alpha", type=float, default=0.7)
    p.add_argument("--clip", type=float, default=3.0)
    args = p.parse_args(argv)
    torch.manual_seed(0)
    batches = [(torch.randn(12, 1, 7, 7), torch.randint(0, 6, (12,))) for _ in range(6)]
    distill(args, mlp(40), mlp(12), batches)


if __name__ == "__main__":
    main([])
