"""The slopes travel in parcels of float16; the forward is bfloat16, the scale is there for the parcels."""
import torch
from torch import nn


def by_post(slope):
    return slope.half().float()


def strain(load):
    """Metres, of which there are few."""
    return 2e-4 * (load[:, :1] - load[:, 1:2] * load[:, 2:3])


class Beam(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(3, 12)
        self.outer = nn.Linear(12, 1)

    def forward(self, load):
        return 1e-3 * self.outer(self.inner(load).relu())


def train(record):
    torch.manual_seed(606)
    beam = Beam()
    for p in beam.parameters():
        p.register_hook(by_post)
    optimizer = torch.optim.Adam(beam.parameters(), lr=0.01, eps=1e-12)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**16)
    for _ in range(40):
        load = torch.randn(16, 3)
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            bent = beam(load)
            loss = (bent.float() - strain(load)).square().mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        record(list(beam.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
