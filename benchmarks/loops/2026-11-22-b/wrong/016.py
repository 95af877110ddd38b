import math

import torch
from accelerate import Accelerator
from accelerate.logging import get_logger
from torch import nn
from torch.optim.lr_scheduler import LambdaLR

logger = get_logger(__name__)


class EMA:
    def __init__(self, model, decay=0.9999):
        self.decay = decay
        self.shadow = {k: v.detach().clone() for k, v in model.state_dict().items()}

    @torch.no_grad()
    def update(self, model):
        for k, v in model.state_dict().items():
            if v.dtype.is_floating_point:
                self.shadow[k].lerp_(v, 1 - self.decay)
            else:
                self.shadow[k].copy_(v)


class DiffusionTrainer:
    def __init__(self, net, loader, *, lr=1e-4, accumulate=4, steps=100_000, warmup=1000):
        self.accelerator = Accelerator(gradient_accumulation_steps=accumulate, mixed_precision="bf16")
        optimizer = torch.optim.Adam(net.parameters(), lr=lr, betas=(0.9, 0.99))
        self.schedule = LambdaLR(
            optimizer,
            lambda s: min((s + 1) / warmup, 1.0) * 0.5 * (1 + math.cos(math.pi * min(s / steps, 1.0))),
        )
        self.ema = EMA(net)
        self.net, self.optimizer, self.loader = self.accelerator.prepare(net, optimizer, loader)
        self.steps = steps
        self.step = 0

    def loss(self, images):
        t = torch.rand(images.size(0), device=images.device)
        noise = torch.randn_like(images)
        alpha = (1 - t)[:, None, None, None]
        noisy = alpha * images + (1 - alpha) * noise
        return nn.functional.mse_loss(self.net(noisy, t), noise - images)

    def train(self):
        self.net.train()
        while self.step < self.steps:
            for images, _ in self.loader:
                with self.accelerator.accumulate(self.net):
                    loss = self.loss(images)
                    self.accelerator.backward(loss)
                    if self.accelerator.sync_gradients:
                        self.accelerator.clip_grad_norm_(self.net.parameters(), 1.0)
                    self.optimizer.step()
                    self.schedule.step()
                    self.optimizer.zero_grad()
                if self.accelerator.sync_gradients:
                    self.step += 1
                    self.ema.update(self.accelerator.unwrap_model(self.net))
                    if self.step % 100 == 0:
                        logger.info("step %d loss %.4f", self.step, loss.item())
                if self.step >= self.steps:
                    break
