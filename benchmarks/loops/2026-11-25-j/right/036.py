import torch
from torch import nn


def clear(params):
    for p in params:
        if p.grad is not None:
            p.grad.detach_()
            p.grad.zero_()


class Averaged:
    def __init__(self, model, lr):
        self.params = [p for p in model.parameters() if p.requires_grad]
        self.inner = torch.optim.ASGD(self.params, lr=lr)

    def apply(self):
        self.inner.step()
        clear(self.params)


torch.manual_seed(136)
model = nn.Bilinear(5, 5, 1)
opt = Averaged(model, 0.05)
for epoch in range(3):
    for _ in range(6):
        left, right = torch.randn(16, 5), torch.randn(16, 5)
        gap = model(left, right).squeeze(1) - (left * right).sum(1)
        loss = gap.abs().mean()
        loss.backward()
        opt.apply()
    print(epoch, loss.item())
