import torch


class GradAccumulator:
    def __init__(self, optimizer, every):
        self.optimizer = optimizer
        self.every = every
        self.count = 0

    def add(self, loss):
        (loss / self.every).backward()
        self.count += 1
        if self.count > self.every:
            self.flush()

    def flush(self):
        if self.count:
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.count = 0


torch.manual_seed(14)
model = torch.nn.Linear(7, 2)
acc = GradAccumulator(torch.optim.Adam(model.parameters(), lr=0.01), every=4)
for epoch in range(2):
    for _ in range(15):
        x = torch.randn(10, 7)
        y = (x.sum(1) > 0).long()
        acc.add(torch.nn.functional.cross_entropy(model(x), y))
    acc.flush()
    print(epoch, model.weight.norm().item())
