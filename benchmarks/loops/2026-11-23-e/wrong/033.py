import math

import torch
from torch import nn

torch.manual_seed(0)


class LoRALinear(nn.Module):
    def __init__(self, base, rank=2, alpha=4.0):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.A = nn.Parameter(torch.randn(rank, base.in_features) / math.sqrt(rank))
        self.B = nn.Parameter(torch.zeros(base.out_features, rank))
        self.scaling = alpha / rank

    def forward(self, x):
        return self.base(x) + (x @ self.A.t() @ self.B.t()) * self.scaling


def inject(module, rank=2):
    for name, child in module.named_children():
        if isinstance(child, nn.Linear):
            setattr(module, name, LoRALinear(child, rank))
        else:
            inject(child, rank)
    return module


base = nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, 24), nn.ReLU(), nn.Linear(24, 4))
model = inject(base)
params = [p for p in model.parameters() if p.requires_grad]
print("trainable:", sum(p.numel() for p in params))

optim = torch.optim.AdamW(params, lr=5e-3)
accum_iter = 5
num_batches = 40

for data_iter_step in range(num_batches):
    samples = torch.randn(8, 12)
    targets = samples[:, :4].argmax(1)

    loss = nn.functional.cross_entropy(model(samples), targets)
    loss_value = loss.item()
    if not math.isfinite(loss_value):
        raise SystemExit(f"Loss is {loss_value}, stopping training")

    loss /= accum_iter
    loss.backward()
    if (data_iter_step + 1) % accum_iter == 0:
        optim.step()
    optim.zero_grad()

    if data_iter_step % 10 == 0:
        print(data_iter_step, round(loss_value, 4))
