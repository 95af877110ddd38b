import torch
from torch import nn


class Trainer:
    def __init__(self, model, accum=2, decay_every=5):
        self.model = model
        self.accum = accum
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        # decay after every `decay_every` optimizer updates
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, step_size=decay_every, gamma=0.5)
        self.micro = 0
        self.updates = 0

    def after_batch(self):
        if self.micro % self.accum == 0:
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.updates += 1
        self.scheduler.step()

    def training_step(self, x, y):
        loss = nn.functional.smooth_l1_loss(self.model(x), y) / self.accum
        loss.backward()
        self.micro += 1
        self.after_batch()
        return loss.item() * self.accum

    def fit(self, loader, epochs):
        for e in range(epochs):
            out = [self.training_step(x, y) for x, y in loader]
            print(e, sum(out) / len(out), self.updates, self.scheduler.get_last_lr())


torch.manual_seed(0)
data = [(torch.randn(8, 3), torch.randn(8, 1)) for _ in range(10)]
Trainer(nn.Sequential(nn.Linear(3, 12), nn.ReLU(), nn.Linear(12, 1))).fit(data, 2)
