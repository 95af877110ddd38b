import torch

from callbacks import Agreement, Scheduling
from loop import Distiller
from models import small, wide


def shapes(n, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 16, generator=g)
    return [(x[i : i + 16], x[i : i + 16, :4].argmax(1)) for i in range(0, n, 16)]


def pretrain(net, batches, steps=3):
    opt = torch.optim.Adam(net.parameters(), lr=1e-2)
    for _ in range(steps):
        for x, y in batches:
            opt.zero_grad()
            torch.nn.functional.cross_entropy(net(x), y).backward()
            opt.step()
    return net.eval().requires_grad_(False)


def main():
    torch.manual_seed(4)
    batches = shapes(160, 1)
    teacher, student = pretrain(wide(), batches), small()
    opt = torch.optim.Adam(student.parameters(), lr=5e-3)
    sched = torch.optim.lr_scheduler.StepLR(opt, step_size=1, gamma=0.6)
    Distiller(student, teacher, opt, [Scheduling(sched), Agreement(every=4)]).run(batches, epochs=3)


if __name__ == "__main__":
    main()
