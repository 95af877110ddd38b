import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def main():
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29883")
    dist.init_process_group("gloo", rank=int(os.environ.get("RANK", 0)), world_size=int(os.environ.get("WORLD_SIZE", 1)))
    torch.manual_seed(0)
    series = torch.randn(96, 5).cumsum(0) / 10
    ds = TensorDataset(series[:-1], series[1:])
    loader = DataLoader(ds, batch_size=19, sampler=DistributedSampler(ds, shuffle=False))
    net = DDP(nn.Linear(5, 5))
    opt = torch.optim.SGD(net.parameters(), lr=0.05)
    for epoch in range(3):
        for x, y in loader:
            opt.zero_grad()
            loss = nn.functional.mse_loss(net(x), y)
            loss.backward()
            opt.step()
        if dist.get_rank() == 0:
            print(epoch, loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
