import torch

from .contexts import fresh_grads, frozen, stage


def distill(student, teacher, loader, optimizer, objective, accum, timings):
    student.train()
    total = 0.0
    batches = iter(loader)
    for first in range(0, len(loader), accum):
        size = min(accum, len(loader) - first)
        with fresh_grads(optimizer):
            for _ in range(size):
                x, y = next(batches)
                with frozen(teacher):
                    guide = teacher(x)
                with stage("forward", timings, torch.bfloat16):
                    loss = objective(student(x), guide, y) / size
                with stage("backward", timings):
                    loss.backward()
                total += loss.item() * size
            optimizer.step()
    return total / len(loader)
