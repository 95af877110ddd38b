import operator
from functools import reduce

import torch
import torch.nn as nn
from torch.nn.utils import clip_grad_norm_


class LoRALinear(nn.Module):
    def __init__(self, base, r=2, alpha=4):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.A = nn.Parameter(torch.randn(r, base.in_features) * 0.02)
        self.B = nn.Parameter(torch.zeros(base.out_features, r))
        self.s = alpha / r

    def forward(self, x):
        return self.base(x) + self.s * (x @ self.A.T) @ self.B.T


def inject(model):
    for name, mod in list(model.named_children()):
        if isinstance(mod, nn.Linear):
            setattr(model, name, LoRALinear(mod))
    return model


def count(params):
    return reduce(operator.add, (p.numel() for p in params), 0)


def main():
    torch.manual_seed(19)
    net = inject(nn.Sequential(nn.Linear(8, 24), nn.ReLU(), nn.Linear(24, 24), nn.ReLU(), nn.Linear(24, 3)))
    trainable = filter(lambda p: p.requires_grad, net.parameters())
    trainable = list(trainable)
    print(f"{count(trainable)} of {count(net.parameters())} parameters are trained")
    opt = torch.optim.AdamW(trainable, lr=2e-2)
    x = torch.randn(96, 8)
    y = x[:, :3].argmax(1)
    for epoch in range(6):
        for sel in torch.randperm(96).chunk(6):
            loss = nn.functional.cross_entropy(net(x[sel]), y[sel])
            loss.backward()
            norm = clip_grad_norm_(trainable, 0.5)
            opt.step()
            net.zero_grad()
        print(f"epoch {epoch} loss {loss.item():.3f} norm {norm.item():.3f}")


if __name__ == "__main__":
    main()
