import torch
import torch.distributed as dist

from orchestra.conductor import Conductor
from orchestra.score import reseat, seats
from orchestra.settings import from_command_line


def main():
    settings = from_command_line()
    torch.manual_seed(settings.seed)
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    loader = seats(settings)
    conductor = Conductor(settings)
    reseat(loader, 0)
    for concert in range(settings.concerts):
        print(f"concert {concert}: {conductor.play(loader):.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
