import torch

from diffusion.precision import autocast_for, scaler_for


class DiffusionTrainer:
    def __init__(self, cfg, model, process, stream):
        self.cfg, self.model, self.process, self.stream = cfg, model, process, stream
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
        self.scaler = scaler_for(cfg)

    def train(self):
        self.model.train()
        for update in range(1, self.cfg.updates + 1):
            self.optimizer.zero_grad()
            shown = 0.0
            for _ in range(self.cfg.accum):
                with autocast_for(self.cfg):
                    loss = self.process.loss(self.model, next(self.stream))
                self.scaler.scale(loss).backward()
                shown += loss.item() / self.cfg.accum
            self.scaler.step(self.optimizer)
            self.scaler.update()
            if update % self.cfg.preview_every == 0:
                points = self.process.sample(self.model, 256)
                print(f"{update}: loss {shown:.4f}, radius {points.norm(dim=1).mean():.3f}")
