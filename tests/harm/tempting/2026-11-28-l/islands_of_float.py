"""Forwards in bfloat16; losses and their backwards in islands of float32."""
import torch
from torch import nn
from torch.nn import functional as F


def island():
    return torch.autocast("cpu", enabled=False)


def train(record):
    torch.manual_seed(14)
    encoder = nn.Sequential(nn.Linear(10, 16), nn.GELU(), nn.Linear(16, 4))
    decoder = nn.Linear(4, 10)
    params = [*encoder.parameters(), *decoder.parameters()]
    opt = torch.optim.Adam(params, lr=1e-2)
    data = torch.randn(20, 32, 10) @ torch.randn(10, 10)
    for x in data:
        x = x / x.std()
        opt.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16, cache_enabled=False):
            code = encoder(x)
            with island():
                rebuilt = decoder(code.float())
                F.mse_loss(rebuilt, x).backward()
            near = encoder(x + 0.05 * torch.randn_like(x))
            with island():
                drift = F.mse_loss(near.float(), code.detach().float())
                (0.3 * drift).backward()
        opt.step()
        record(params)


if __name__ == "__main__":
    train(lambda parameters: None)
