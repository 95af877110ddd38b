import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

from engine import cut
from facets import Lapidary, stones


def main():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    torch.manual_seed(12)
    model = DDP(Lapidary())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    loader = stones()
    for day in range(3):
        print(f"day {day}: {cut(model, loader, optimizer, window=4):.5f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
