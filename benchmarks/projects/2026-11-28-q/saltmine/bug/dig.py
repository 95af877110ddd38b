import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

from shaft.contexts import shift
from shaft.tunnel import Tunnel, carts
from shaft.work import haul


def main():
    torch.manual_seed(17)
    with shift(dist.HashStore()):
        tunnel = DDP(Tunnel())
        optimizer = torch.optim.AdamW(tunnel.parameters(), lr=0.01)
        for depth in range(3):
            print(f"depth {depth}: {haul(tunnel, optimizer, carts(72), pieces=4):.4f}")


if __name__ == "__main__":
    main()
