from dataclasses import dataclass, field

import torch
from torch import amp, nn
from torch.utils.data import DataLoader


@dataclass
class OptimConfig:
    lr: float = 2e-4
    betas: tuple = (0.9, 0.99)
    weight_decay: float = 0.01
    max_grad_norm: float = 1.0


@dataclass
class LogConfig:
    every: int = 100
    raw_grad_norm: bool = False


@dataclass
class Config:
    optim: OptimConfig = field(default_factory=OptimConfig)
    log: LogConfig = field(default_factory=LogConfig)
    epochs: int = 20


def global_norm(params):
    return torch.linalg.vector_norm(torch.stack([p.grad.norm() for p in params if p.grad is not None]))


class Denoiser:
    def __init__(self, net: nn.Module, cfg: Config):
        self.net = net.cuda()
        self.cfg = cfg
        o = cfg.optim
        self.opt = torch.optim.AdamW(net.parameters(), lr=o.lr, betas=o.betas, weight_decay=o.weight_decay)
        self.scaler = amp.GradScaler("cuda")
        self.step = 0

    def loss(self, clean):
        sigma = torch.rand(clean.size(0), 1, 1, 1, device=clean.device)
        noisy = clean + sigma * torch.randn_like(clean)
        return nn.functional.l1_loss(self.net(noisy, sigma.flatten()), clean)

    def update(self, clean):
        with amp.autocast("cuda", dtype=torch.float16):
            loss = self.loss(clean)
        self.opt.zero_grad(set_to_none=True)
        self.scaler.scale(loss).backward()
        metrics = {}
        if self.cfg.log.raw_grad_norm:
            self.scaler.unscale_(self.opt)
            metrics["raw_norm"] = global_norm(list(self.net.parameters()))
        if self.cfg.optim.max_grad_norm:
            nn.utils.clip_grad_norm_(self.net.parameters(), self.cfg.optim.max_grad_norm)
        self.scaler.step(self.opt)
        self.scaler.update()
        self.step += 1
        metrics["loss"] = loss.detach()
        return metrics


def run(net: nn.Module, loader: DataLoader, cfg: Config | None = None):
    trainer = Denoiser(net, cfg or Config())
    for _ in range(trainer.cfg.epochs):
        for clean, _ in loader:
            metrics = trainer.update(clean.cuda())
            if trainer.step % trainer.cfg.log.every == 0:
                print(trainer.step, {k: float(v) for k, v in metrics.items()})
