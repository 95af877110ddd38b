import torch


@torch.no_grad()
def agreement(student, teacher, x):
    student.eval()
    same = (student(x).argmax(1) == teacher(x).argmax(1)).float().mean().item()
    student.train()
    return same
