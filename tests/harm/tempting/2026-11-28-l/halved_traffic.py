"""DDP only spreads the weights; the gradients of a whole window are reduced at once, in bfloat16."""
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

WINDOW = 3


@torch.no_grad()
def reduce_gradients(params, world):
    flat = torch.cat([p.grad.flatten() for p in params]).to(torch.bfloat16)
    dist.all_reduce(flat)
    flat = flat.float() / world
    for p, piece in zip(params, flat.split([p.numel() for p in params])):
        p.grad.copy_(piece.view_as(p))


def train(record):
    torch.manual_seed(40)
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    model = DDP(nn.Sequential(nn.Linear(6, 12), nn.Tanh(), nn.Linear(12, 2)))
    params = list(model.parameters())
    opt = torch.optim.SGD(params, lr=0.3)
    x = torch.randn(15, 8, 6)
    y = (x[..., 0] > x[..., 1]).long()
    for i in range(len(x)):
        with model.no_sync():
            loss = nn.functional.cross_entropy(model(x[i]), y[i])
            (loss / WINDOW).backward()
        if (i + 1) % WINDOW == 0:
            reduce_gradients(params, dist.get_world_size())
            opt.step()
            record(params)
            opt.zero_grad()
    dist.destroy_process_group()


if __name__ == "__main__":
    train(lambda parameters: None)
