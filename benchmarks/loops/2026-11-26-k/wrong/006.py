from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Settings:
    lr: float = 1e-2
    accumulate: int = 4
    grad_clip: float = 2.0
    fp16: bool = True


class DepthTrainer:
    def __init__(self, net: nn.Module, cfg: Settings):
        self.net, self.cfg = net, cfg
        self.opt = torch.optim.AdamW(net.parameters(), lr=cfg.lr)
        self.scaler = torch.amp.GradScaler("cpu", enabled=cfg.fp16)

    def _finish_window(self):
        if self.cfg.grad_clip:
            nn.utils.clip_grad_norm_(self.net.parameters(), self.cfg.grad_clip)
        self.scaler.step(self.opt)
        self.scaler.update()
        self.opt.zero_grad()

    def epoch(self, samples):
        for i, (rgb, depth) in enumerate(samples):
            pred = self.net(rgb)
            loss = nn.functional.l1_loss(pred, depth) / self.cfg.accumulate
            self.scaler.scale(loss).backward()
            if (i + 1) % self.cfg.accumulate == 0 or i + 1 == len(samples):
                self._finish_window()
        return loss.item()


def main():
    torch.manual_seed(1)
    net = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 1, 1))
    samples = []
    for _ in range(10):
        rgb = torch.rand(2, 3, 12, 12)
        samples.append((rgb, rgb.mean(1, keepdim=True) * 4))
    trainer = DepthTrainer(net, Settings())
    for e in range(3):
        print(e, trainer.epoch(samples))


main()
