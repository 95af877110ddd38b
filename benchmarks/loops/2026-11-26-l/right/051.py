import torch
import torch.nn.functional as F
from dataclasses import dataclass
from typing import Optional


@dataclass
class Settings:
    amp: bool = True
    lr: float = 0.1
    steps: int = 10


def optimise(loss, opt, scaler: Optional[torch.amp.GradScaler]):
    opt.zero_grad()
    if scaler is None:
        loss.backward()
        opt.step()
        return
    scaled = scaler.scale(loss)
    scaled.backward()
    scaler.step(opt)
    scaler.update()


def run(cfg: Settings):
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(6, 24), torch.nn.ReLU(), torch.nn.Linear(24, 2))
    opt = torch.optim.SGD(net.parameters(), lr=cfg.lr)
    scaler = torch.amp.GradScaler("cpu", init_scale=256.0) if cfg.amp else None
    for _ in range(cfg.steps):
        x = torch.randn(20, 6)
        with torch.autocast("cpu", dtype=torch.float16, enabled=cfg.amp):
            logits = net(x)
        loss = F.cross_entropy(logits.float(), (x[:, 0] > 0).long())
        optimise(loss, opt, scaler)
    print(cfg, loss.item())


run(Settings())
run(Settings(amp=False))
