import torch


def agreement(student, teacher, loader):
    student.eval()
    same = seen = 0
    with torch.no_grad():
        for (x,) in loader:
            x = x.to(next(student.parameters()).device)
            same += (student(x).argmax(1) == teacher(x).argmax(1)).sum().item()
            seen += len(x)
    return same / seen
