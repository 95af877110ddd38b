import torch
from torch import nn
from torch.nn import functional as F


class Sharp(torch.optim.SGD):
    def __init__(self, parameters, rho, **settings):
        super().__init__(parameters, **settings)
        self.rho, self.moved = rho, []

    @torch.no_grad()
    def climb(self):
        weights = [p for group in self.param_groups for p in group["params"] if p.grad is not None]
        norm = torch.stack([p.grad.norm() for p in weights]).norm() + 1e-12
        self.moved = [(p, p.grad * (self.rho / norm)) for p in weights]
        for p, shift in self.moved:
            p.add_(shift)

    @torch.no_grad()
    def come_back(self):
        for p, shift in self.moved:
            p.sub_(shift)
        self.moved = []


def train(record):
    torch.manual_seed(109)
    net = nn.Sequential(nn.Linear(5, 10), nn.Tanh(), nn.Linear(10, 3))
    optimizer = Sharp(net.parameters(), rho=0.05, lr=0.1, momentum=0.9)
    batches = [(torch.randn(12, 5), torch.randint(0, 3, (12,))) for _ in range(6)]
    for epoch in range(3):
        for x, y in batches:

            def objective():
                return F.cross_entropy(net(x), y, label_smoothing=0.05)

            objective().backward()
            optimizer.climb()
            optimizer.zero_grad()
            objective().backward()
            optimizer.come_back()
            optimizer.step()
            record(list(net.parameters()))
            for p in net.parameters():
                p.grad = None


if __name__ == "__main__":
    train(lambda parameters: None)
