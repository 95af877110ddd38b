import tempfile
from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main():
    with tempfile.NamedTemporaryFile() as f:
        dist.init_process_group("gloo", init_method=f"file://{f.name}", rank=0, world_size=1)
        torch.manual_seed(52)
        net = DistributedDataParallel(nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 2)))
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        batches = [(torch.randn(4, 6), torch.randint(0, 2, (4,))) for _ in range(12)]
        accum = 4
        for epoch in range(2):
            for i, (x, y) in enumerate(batches):
                boundary = (i + 1) % accum == 0 or i + 1 == len(batches)
                loss = nn.functional.cross_entropy(net(x), y) / accum
                with nullcontext() if boundary else net.no_sync():
                    loss.backward()
                if boundary:
                    opt.step()
                    opt.zero_grad()
            print(epoch, loss.item() * accum)
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
