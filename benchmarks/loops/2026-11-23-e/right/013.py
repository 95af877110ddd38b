import torch
from torch import nn

torch.manual_seed(0)


class Probe(nn.Module):
    """Frozen random features with a trainable attention pooling head."""

    def __init__(self, d=9, h=24, k=3):
        super().__init__()
        self.features = nn.Linear(d, h).requires_grad_(False)
        self.score = nn.Linear(h, 1)
        self.cls = nn.Linear(h, k)

    def forward(self, bag):
        f = torch.relu(self.features(bag))
        w = self.score(f).softmax(dim=1)
        return self.cls((w * f).sum(1))


def trainable(module):
    return filter(lambda p: p.requires_grad, module.parameters())


model = Probe()
decay = [p for p in trainable(model) if p.ndim > 1]
no_decay = [p for p in trainable(model) if p.ndim <= 1]
groups = [{"params": decay, "weight_decay": 0.05}, {"params": no_decay, "weight_decay": 0.0}]
optimizer = torch.optim.AdamW(groups, lr=1e-2)
params = decay + no_decay

for step in range(40):
    bags = torch.randn(16, 6, 9)
    y = bags[..., 0].amax(1).gt(1).long() + bags[..., 1].amax(1).gt(1).long()
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(bags), y)
    loss.backward()
    before = nn.utils.clip_grad_norm_(params, 0.5)
    nn.utils.clip_grad_value_(trainable(model), 0.2)
    optimizer.step()
    if step % 10 == 0:
        print(step, f"loss {loss.item():.3f} norm {before.item():.3f}")
