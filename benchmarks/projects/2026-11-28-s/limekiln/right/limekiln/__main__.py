import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

from .burn import burn, check
from .stone import Calciner, charges


def main():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    torch.manual_seed(40)
    model = DDP(Calciner())
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    held = charges(3, seed=42)
    for epoch in range(3):
        loss = burn(model, charges(11, seed=41), optimizer, window=4)
        print(f"{epoch} {loss:.4f} {check(model, held):.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
