import torch
from torch import nn


class Pipeline:
    """Runs named callbacks in order after each backward."""

    def __init__(self):
        self.after_backward = []
        self.after_epoch = []

    def on_backward(self, fn):
        self.after_backward.append(fn)
        return self

    def on_epoch(self, fn):
        self.after_epoch.append(fn)
        return self


class Rational(nn.Module):
    """Learned rational activation in a small regression net."""

    def __init__(self):
        super().__init__()
        self.p = nn.Parameter(torch.tensor([0.0, 1.0, 0.1]))
        self.q = nn.Parameter(torch.tensor([0.1, 0.1]))
        self.inp, self.out = nn.Linear(1, 16), nn.Linear(16, 1)

    def forward(self, x):
        h = self.inp(x)
        num = self.p[0] + self.p[1] * h + self.p[2] * h * h
        den = 1 + (self.q[0] * h + self.q[1] * h * h).abs()
        return self.out(num / den)


torch.manual_seed(0)
model = Rational()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2, gamma=0.5)
clip = lambda: nn.utils.clip_grad_norm_(model.parameters(), 1.0)

pipe = Pipeline()
pipe.on_backward(clip).on_backward(optimizer.step).on_backward(optimizer.zero_grad)
pipe.on_epoch(scheduler.step)

x = torch.rand(128, 1) * 4 - 2
y = torch.exp(-x * x)
for epoch in range(5):
    for idx in torch.randperm(128).split(32):
        loss = nn.functional.mse_loss(model(x[idx]), y[idx])
        loss.backward()
        for fn in pipe.after_backward:
            fn()
    for fn in pipe.after_epoch:
        fn()
    print(f"epoch {epoch} loss {loss.item():.5f} lr {scheduler.get_last_lr()[0]:.4f}")
