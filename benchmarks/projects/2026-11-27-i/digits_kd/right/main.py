from functools import partial

import torch

from kd import kd_loss
from loop import distil
from nets import student_net, teacher_net


def batches_of(teacher, n=14, size=16, dim=20):
    out = []
    for _ in range(n):
        x = torch.randn(size, dim)
        with torch.no_grad():
            out.append((x, teacher(x).argmax(-1)))
    return out


if __name__ == "__main__":
    torch.manual_seed(2)
    teacher = teacher_net().eval().requires_grad_(False)
    student = student_net()
    objective = partial(kd_loss, teacher=teacher, temperature=3.0, alpha=0.4)
    optimizer = torch.optim.SGD(student.parameters(), lr=0.1, momentum=0.9)
    distil(student, batches_of(teacher), optimizer, objective, epochs=4, accum=4)
