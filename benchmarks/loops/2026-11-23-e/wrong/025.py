import os
import torch
import torch.nn as nn
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
os.environ.setdefault("MASTER_PORT", "29544")


class TinyUNet(nn.Module):
    def __init__(self, c=6):
        super().__init__()
        self.a = nn.Conv1d(1, c, 3, padding=1)
        self.b = nn.Conv1d(c, c, 3, padding=1)
        self.c = nn.Conv1d(2 * c, 1, 3, padding=1)

    def forward(self, x):
        a = torch.relu(self.a(x))
        b = torch.relu(self.b(a))
        return self.c(torch.cat([a, b], 1))


def denoising_batch(bs=4, n=32):
    clean = torch.sin(torch.linspace(0, 12, n) + 6.28 * torch.rand(bs, 1, 1))
    return clean + 0.3 * torch.randn_like(clean), clean


def main():
    rank = int(os.environ.get("RANK", "0"))
    world_size = int(os.environ.get("WORLD_SIZE", "1"))
    dist.init_process_group("gloo", rank=rank, world_size=world_size)
    torch.manual_seed(100 + rank)

    model = DDP(TinyUNet())
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    loss_fn = nn.MSELoss()
    accumulation = 4

    for update in range(15):
        optimizer.zero_grad()
        with model.no_sync():
            for _ in range(accumulation):
                noisy, clean = denoising_batch()
                loss = loss_fn(model(noisy), clean) / accumulation
                loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if rank == 0 and update % 5 == 0:
            print(f"[{update}] {loss.item() * accumulation:.4f}")

    dist.destroy_process_group()


if __name__ == "__main__":
    main()
