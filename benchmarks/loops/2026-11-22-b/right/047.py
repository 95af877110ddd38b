import math
from collections import Counter

import torch
from torch import nn
from torch.amp import GradScaler, autocast


class SafeUpdate:
    def __init__(self, params, optimizer, scaler, max_norm):
        self.params = list(params)
        self.optimizer = optimizer
        self.scaler = scaler
        self.max_norm = max_norm
        self.outcome = Counter()

    def __call__(self):
        self.scaler.unscale_(self.optimizer)
        norm = nn.utils.clip_grad_norm_(self.params, self.max_norm).item()
        if not math.isfinite(norm):
            self.outcome["skipped"] += 1
        elif norm > 50 * self.max_norm:
            self.outcome["outlier"] += 1
        else:
            self.scaler.step(self.optimizer)
            self.outcome["taken"] += 1
        self.scaler.update()
        self.optimizer.zero_grad(set_to_none=True)
        return norm


class OpticalFlowTrainer:
    def __init__(self, net: nn.Module, steps: int, lr: float = 4e-4, iters: int = 12, gamma: float = 0.8):
        self.net = net.cuda()
        self.iters, self.gamma, self.steps = iters, gamma, steps
        optimizer = torch.optim.AdamW(net.parameters(), lr=lr, weight_decay=1e-4, eps=1e-8)
        self.apply_update = SafeUpdate(net.parameters(), optimizer, GradScaler("cuda"), max_norm=1.0)
        self.optimizer = optimizer

    def sequence_loss(self, flows, target, valid):
        loss = 0.0
        for i, flow in enumerate(flows):
            weight = self.gamma ** (len(flows) - i - 1)
            loss = loss + weight * (valid[:, None] * (flow - target).abs()).mean()
        return loss

    def set_lr(self, step, peak=4e-4):
        scale = min(1.0, (step + 1) / 1000) * (1 - step / self.steps)
        for group in self.optimizer.param_groups:
            group["lr"] = peak * scale

    def run(self, loader):
        self.net.train()
        stream = iter(loader)
        for step in range(self.steps):
            first, second, flow, valid = (t.cuda(non_blocking=True) for t in next(stream))
            self.set_lr(step)
            with autocast("cuda", dtype=torch.float16):
                flows = self.net(first, second, iters=self.iters)
                loss = self.sequence_loss(flows, flow, valid)
            self.apply_update.scaler.scale(loss).backward()
            norm = self.apply_update()
            if step % 100 == 0:
                print(step, loss.item(), norm, dict(self.apply_update.outcome))
