import os
import contextlib
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def fit(model, optimizer, batches, accum, epochs):
    for epoch in range(epochs):
        optimizer.zero_grad()
        for k, (x, y) in enumerate(batches):
            full = (k + 1) % accum == 0
            end = k + 1 == len(batches)
            ctx = contextlib.nullcontext() if full else model.no_sync()
            with ctx:
                loss = torch.nn.functional.cross_entropy(model(x), y)
                (loss / accum).backward()
            if full or end:
                optimizer.step()
                optimizer.zero_grad()
        print(epoch, loss.item())


if __name__ == "__main__":
    os.environ["MASTER_ADDR"], os.environ["MASTER_PORT"] = "localhost", "29655"
    dist.init_process_group("gloo", rank=0, world_size=1)
    torch.manual_seed(1)
    net = DDP(torch.nn.Sequential(torch.nn.Linear(4, 16), torch.nn.ReLU(), torch.nn.Linear(16, 3)))
    batches = [(torch.randn(8, 4), torch.randint(0, 3, (8,))) for _ in range(7)]
    fit(net, torch.optim.SGD(net.parameters(), lr=0.1), batches, accum=3, epochs=2)
    dist.destroy_process_group()
