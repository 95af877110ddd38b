import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, 2 * width)
        self.down = nn.Linear(2 * width, width)

    def forward(self, x):
        return x + self.down(torch.nn.functional.gelu(self.up(self.norm(x))))


def get_batch(generator):
    x = torch.randn(6, 8, generator=generator)
    return x, x.roll(1, dims=1)


def pretrain(record, updates=5, micro_steps=4):
    torch.manual_seed(1337)
    generator = torch.Generator().manual_seed(1338)
    model = DDP(nn.Sequential(Block(8), Block(8)))
    raw = model.module
    optimizer = torch.optim.AdamW(raw.parameters(), lr=4e-3, betas=(0.9, 0.95))
    x, y = get_batch(generator)
    for epoch in range(2):
        for it in range(updates):
            lr = 4e-3 * min(1.0, (epoch * updates + it + 1) / 3)
            for group in optimizer.param_groups:
                group["lr"] = lr
            for micro in range(micro_steps):
                model.require_backward_grad_sync = micro == micro_steps - 1
                loss = nn.functional.mse_loss(model(x), y) / micro_steps
                x, y = get_batch(generator)
                loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            record(list(raw.parameters()))
            optimizer.zero_grad(set_to_none=True)


def train(record):
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    try:
        pretrain(record)
    finally:
        dist.destroy_process_group()


if __name__ == "__main__":
    train(lambda parameters: None)
