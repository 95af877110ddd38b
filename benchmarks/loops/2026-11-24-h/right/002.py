import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class AccumulatingOptimizer:
    """Collects gradients of several backward passes and applies their mean."""

    def __init__(self, optimizer, every):
        self.inner = optimizer
        self.every = every
        self.collected = 0

    def _params(self):
        for g in self.inner.param_groups:
            yield from (p for p in g["params"] if p.grad is not None)

    def backward(self, loss):
        loss.backward()
        self.collected += 1
        if self.collected == self.every:
            self.flush()

    def flush(self):
        if self.collected == 0:
            return
        for p in self._params():
            p.grad.div_(self.collected)
        self.inner.step()
        self.inner.zero_grad()
        self.collected = 0


def main():
    torch.manual_seed(4)
    x = torch.randn(108, 7)
    y = (x @ torch.randn(7, 3)).argmax(1)
    dl = DataLoader(TensorDataset(x, y), batch_size=8, shuffle=True)
    clf = nn.Sequential(nn.Linear(7, 24), nn.ELU(), nn.Linear(24, 3))
    acc_opt = AccumulatingOptimizer(torch.optim.SGD(clf.parameters(), lr=0.2), every=4)
    objective = nn.CrossEntropyLoss()
    for epoch in range(3):
        clf.train()
        total = 0.0
        for feats, cls in dl:
            loss = objective(clf(feats), cls)
            acc_opt.backward(loss)
            total += loss.item()
        acc_opt.flush()
        print(epoch, round(total / len(dl), 4))


main()
