import torch
import torch.nn.functional as F
from torch import nn


class SAM(torch.optim.Optimizer):
    def __init__(self, params, base, rho=0.05, **kwargs):
        super().__init__(params, dict(rho=rho, **kwargs))
        self.base = base(self.param_groups, **kwargs)
        self.param_groups = self.base.param_groups

    @torch.no_grad()
    def first_step(self, zero_grad=False):
        norms = [p.grad.norm() for g in self.param_groups for p in g["params"] if p.grad is not None]
        scale = torch.stack(norms).norm() + 1e-12
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                self.state[p]["old"] = p.clone()
                p.add_(p.grad, alpha=group["rho"] / scale.item())
        if zero_grad:
            self.zero_grad()

    @torch.no_grad()
    def second_step(self, zero_grad=False):
        for group in self.param_groups:
            for p in group["params"]:
                if "old" in self.state[p]:
                    p.copy_(self.state[p].pop("old"))
        self.base.step()
        if zero_grad:
            self.zero_grad()

    def step(self, closure=None):
        raise NotImplementedError("use first_step and second_step")


def set_bn_momentum(model, frozen):
    for m in model.modules():
        if isinstance(m, nn.modules.batchnorm._BatchNorm):
            m.momentum, m.backup = (0.0, m.momentum) if frozen else (getattr(m, "backup", m.momentum), 0.1)


def train(model, loader, epochs=200, lr=0.1, smoothing=0.1):
    optimizer = SAM(model.parameters(), torch.optim.SGD, rho=0.05, lr=lr, momentum=0.9, weight_decay=5e-4)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer.base, epochs)
    for epoch in range(epochs):
        model.train()
        for x, y in loader:
            x, y = x.cuda(), y.cuda()
            set_bn_momentum(model, frozen=False)
            loss = F.cross_entropy(model(x), y, label_smoothing=smoothing)
            loss.backward()
            optimizer.first_step(zero_grad=True)

            set_bn_momentum(model, frozen=True)
            F.cross_entropy(model(x), y, label_smoothing=smoothing).backward()
            optimizer.second_step(zero_grad=True)
        scheduler.step()
        print(epoch, loss.item())
