import torch
from etakit import Events, Loop, cosine

from .stops import trips
from .task import BusTask

EPOCHS, PARTS = 4, 3


def main():
    torch.manual_seed(9)
    task, loader, held_out = BusTask(), trips(200, seed=0), trips(40, seed=1, shuffle=False)
    optimizer = torch.optim.SGD(task.net.parameters(), lr=0.08)
    schedule = cosine(optimizer, EPOCHS, len(loader), PARTS)
    loop = Loop(task, optimizer, loader, PARTS)
    loop.events.on(Events.UPDATE, schedule.step)
    loop.events.on(
        Events.EPOCH,
        lambda: print(loop.epoch, f"{task.error(held_out):.4f}", f"lr {schedule.get_last_lr()[0]:.4f}"),
    )
    loop.run(EPOCHS)


if __name__ == "__main__":
    main()
