from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class TrainConfig:
    amp_dtype: torch.dtype = torch.bfloat16
    lr: float = 1e-3
    steps: int = 25
    clip: float = 1.0
    widths: list = field(default_factory=lambda: [8, 32, 8])


class AutoEncoder(nn.Module):
    def __init__(self, widths):
        super().__init__()
        a, b, c = widths
        self.enc, self.dec = nn.Linear(a, b), nn.Linear(b, c)

    def forward(self, x):
        return self.dec(nn.functional.gelu(self.enc(x)))


class Ema:
    def __init__(self, model, decay=0.9):
        self.decay = decay
        self.state = {k: v.detach().clone() for k, v in model.state_dict().items()}

    def update(self, model):
        for k, v in model.state_dict().items():
            self.state[k].mul_(self.decay).add_(v.detach(), alpha=1 - self.decay)


def train(cfg: TrainConfig):
    model = AutoEncoder(cfg.widths)
    ema = Ema(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
    scaler = torch.amp.GradScaler("cpu")
    for step in range(cfg.steps):
        x = torch.randn(16, cfg.widths[0])
        with torch.autocast("cpu", dtype=cfg.amp_dtype):
            loss = nn.functional.mse_loss(model(x), x)
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), cfg.clip)
        scaler.step(optimizer)
        scaler.update()
        ema.update(model)
        if step % 8 == 0:
            print(step, loss.item(), scaler.get_scale())


if __name__ == "__main__":
    torch.manual_seed(0)
    train(TrainConfig())
