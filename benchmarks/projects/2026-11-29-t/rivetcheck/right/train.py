import torch

from rivet.checks import found_share
from rivet.engine import Distiller
from rivet.nets import big, small
from rivet.parallel import start, stop, wrap


def plates(n, seed):
    g = torch.Generator().manual_seed(seed)
    for _ in range(n):
        image = torch.randn(10, 15, generator=g)
        yield image, image[:, :3].argmax(1)


def main():
    start()
    torch.manual_seed(0)
    teacher = big()
    student = wrap(small())
    distiller = Distiller(student, teacher, torch.optim.AdamW(student.parameters(), lr=0.01))
    train_set, test_set = list(plates(12, 1)), list(plates(3, 2))
    student.train()
    for epoch in range(3):
        student.train()
        loss = distiller.epoch(train_set)
        print(epoch, round(loss, 4), round(found_share(student, test_set), 3))
    stop()


if __name__ == "__main__":
    main()
