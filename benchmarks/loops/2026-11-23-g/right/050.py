import torch
from torch import nn


class SAM(torch.optim.Optimizer):
    def __init__(self, params, base, rho=0.05, **kwargs):
        super().__init__(params, dict(rho=rho, **kwargs))
        self.base = base(self.param_groups, **kwargs)
        self.param_groups = self.base.param_groups

    def _each(self):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    yield group, p

    @torch.no_grad()
    def first_step(self, zero_grad=False):
        norm = torch.stack([p.grad.norm() for _, p in self._each()]).norm() + 1e-12
        for group, p in self._each():
            e = p.grad * (group["rho"] / norm)
            p.add_(e)
            self.state[p]["e"] = e
        if zero_grad:
            self.zero_grad()

    @torch.no_grad()
    def second_step(self, zero_grad=False):
        for _, p in self._each():
            p.sub_(self.state[p]["e"])
        self.base.step()
        if zero_grad:
            self.zero_grad()


def smooth_ce(logits, y):
    return nn.functional.cross_entropy(logits, y, label_smoothing=0.1)


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(7, 24), nn.ReLU(), nn.Linear(24, 3))
optimizer = SAM(model.parameters(), torch.optim.SGD, rho=0.05, lr=0.1, momentum=0.9)
batches = [(x, x[:, :3].argmax(1)) for x in torch.randn(8, 16, 7)]

for epoch in range(4):
    for x, y in batches:
        loss = smooth_ce(model(x), y)
        loss.backward()
        optimizer.first_step(zero_grad=True)

        smooth_ce(model(x), y).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.second_step(zero_grad=True)
    print(epoch, loss.item())
