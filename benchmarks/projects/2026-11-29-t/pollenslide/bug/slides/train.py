import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

from .data import slides
from .engine import train_epoch


def main():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    torch.manual_seed(0)
    model = DDP(torch.nn.Sequential(torch.nn.Linear(25, 30), torch.nn.Tanh(), torch.nn.Linear(30, 5)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.3, momentum=0.8)
    data = list(slides(14))
    for epoch in range(3):
        print(epoch, round(train_epoch(model, optimizer, data, 4), 4))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
