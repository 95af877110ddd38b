from functools import partial

import torch
import torch.distributed as dist
from torch.nn.utils import clip_grad_norm_

from gloo import mirrored, start
from student import Student
from towers import frozen, stream, tower

UPDATES, PARTS = 12, 4


def main():
    torch.manual_seed(7)
    start()
    model = mirrored(tower(16))
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    student = Student(
        model,
        frozen(tower(64, depth=3)),
        opt,
        on_grads=partial(clip_grad_norm_, max_norm=0.08),
        parts=PARTS,
    )
    batches = stream(UPDATES * PARTS, 32)
    for u in range(UPDATES):
        loss = student.update(batches)
        if u % 3 == 0:
            print(u, round(loss, 4))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
