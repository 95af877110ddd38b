from collections import defaultdict

import torch
from torch import nn
from torch.amp import GradScaler, autocast


class AmpEngine:
    def __init__(self, model, optimizer, accumulate, max_norm, log_every=20):
        self.model = model
        self.optimizer = optimizer
        self.scaler = GradScaler("cuda")
        self.accumulate = accumulate
        self.max_norm = max_norm
        self.log_every = log_every
        self.updates = 0
        self.history = defaultdict(list)

    def log_norms(self):
        self.scaler.unscale_(self.optimizer)
        for name, module in self.model.named_children():
            grads = [p.grad.norm() for p in module.parameters() if p.grad is not None]
            if grads:
                self.history[name].append(torch.stack(grads).norm().item())

    def clip(self):
        self.scaler.unscale_(self.optimizer)
        return nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)

    def update(self):
        if self.updates % self.log_every == 0:
            self.log_norms()
        self.clip()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad(set_to_none=True)
        self.updates += 1

    def run_epoch(self, loader, loss_fn):
        self.model.train()
        for n, (x, y) in enumerate(loader, start=1):
            with autocast("cuda", dtype=torch.float16):
                loss = loss_fn(self.model(x.cuda()), y.cuda())
            self.scaler.scale(loss / self.accumulate).backward()
            if n % self.accumulate == 0:
                self.update()
        return loss.item()


def train(model, loader, *, epochs=100, accumulate=3, lr=1e-2):
    model.cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.99, nesterov=True, weight_decay=3e-5)
    decay = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda e: (1 - e / epochs) ** 0.9)
    engine = AmpEngine(model, optimizer, accumulate, max_norm=12.0)
    loss_fn = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        last = engine.run_epoch(loader, loss_fn)
        decay.step()
        print(epoch, last, {k: v[-1] for k, v in engine.history.items()})
