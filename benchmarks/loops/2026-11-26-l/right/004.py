import torch


class Optimization:
    """Small wrapper that keeps the update in one place."""

    def __init__(self, module, lr=0.05, max_norm=0.7):
        self.module = module
        self.max_norm = max_norm
        self.sgd = torch.optim.SGD(module.parameters(), lr=lr, momentum=0.9)

    def apply(self):
        self.sgd.step()
        self.sgd.zero_grad()

    def limit(self):
        return torch.nn.utils.clip_grad_norm_(self.module.parameters(), self.max_norm)

    def __call__(self, loss):
        loss.backward()
        norm = self.limit()
        self.apply()
        return float(norm)


torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(5, 25), torch.nn.ReLU(), torch.nn.Linear(25, 1))
update = Optimization(model)
for epoch in range(3):
    for _ in range(8):
        x = torch.randn(16, 5)
        y = x.prod(1, keepdim=True)
        norm = update(torch.nn.functional.mse_loss(model(x), y))
    print(epoch, norm)
