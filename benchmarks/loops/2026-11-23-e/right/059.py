import torch
from torch import nn
import torch.nn.functional as F


class MoE(nn.Module):
    def __init__(self, d=10, experts=3, k=4):
        super().__init__()
        self.router = nn.Linear(d, experts)
        self.experts = nn.ModuleList(nn.Sequential(nn.Linear(d, 16), nn.ReLU(), nn.Linear(16, k)) for _ in range(experts))
        self.norm = nn.LayerNorm(d)

    def forward(self, x):
        x = self.norm(x)
        w = self.router(x).softmax(-1)
        y = torch.stack([e(x) for e in self.experts], -1)
        balance = w.mean(0).pow(2).sum() * len(self.experts)
        return (y * w[:, None]).sum(-1), balance


def configure(model, lr):
    matrices = [p for p in model.parameters() if p.ndim == 2]
    rest = [p for p in model.parameters() if p.ndim < 2]
    optimizers = [
        torch.optim.SGD(matrices, lr=10 * lr, momentum=0.95, nesterov=True),
        torch.optim.AdamW(rest, lr=lr, weight_decay=0.0),
    ]
    schedulers = [torch.optim.lr_scheduler.CosineAnnealingLR(o, T_max=16) for o in optimizers]
    return optimizers, schedulers


class Batches:
    def __init__(self, seed=0):
        self.g = torch.Generator().manual_seed(seed)

    def __call__(self, n):
        x = torch.randn(n, 10, generator=self.g)
        return x, (x[:, 0] > 0).long() * 2 + (x[:, 1] > x[:, 2]).long()


def main(steps=16, global_batch=48, device_batch=12):
    torch.manual_seed(0)
    assert global_batch % device_batch == 0
    train_accumulation_steps = global_batch // device_batch
    model, batches = MoE(), Batches()
    optimizers, schedulers = configure(model, lr=5e-3)

    for step in range(steps):
        model.train()
        for _ in range(train_accumulation_steps):
            x, y = batches(device_batch)
            out, balance = model(x)
            loss = F.cross_entropy(out, y) + 0.01 * balance
            loss.backward()
        for p in model.parameters():
            if p.grad is not None:
                p.grad /= train_accumulation_steps
        for opt, sched in zip(optimizers, schedulers):
            opt.step()
            sched.step()
        model.zero_grad(set_to_none=True)
        if step % 4 == 0:
            print(f"step {step}/{steps} loss {loss.item():.3f}")


if __name__ == "__main__":
    main()
