import abc

import torch
from torch import nn


class BaseTrainer(abc.ABC):
    def __init__(self, net, lr):
        self.net = net
        self.optimizer = torch.optim.SGD(net.parameters(), lr=lr)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=256.0)

    @abc.abstractmethod
    def loss(self, batch): ...

    @abc.abstractmethod
    def optimizer_step(self): ...

    def backward(self, loss):
        self.scaler.scale(loss).backward()

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            for batch in loader:
                self.optimizer.zero_grad()
                with torch.autocast("cpu", dtype=torch.float16):
                    loss = self.loss(batch)
                self.backward(loss)
                self.optimizer_step()
            print(f"{type(self).__name__} {epoch}: {loss.item():.4f}")


class EnergyModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.e = nn.Sequential(nn.Linear(3, 24), nn.SiLU(), nn.Linear(24, 1))

    def forward(self, x):
        return self.e(x).squeeze(-1)


class NoiseContrastive(BaseTrainer):
    def loss(self, batch):
        noise = torch.randn_like(batch) * 2
        scores = torch.cat([self.net(batch), self.net(noise)]).float()
        truth = torch.cat([torch.ones(len(batch)), torch.zeros(len(noise))])
        return nn.functional.binary_cross_entropy_with_logits(scores, truth)

    def optimizer_step(self):
        self.optimizer.step()


torch.manual_seed(0)
NoiseContrastive(EnergyModel(), lr=1e-3).fit([torch.randn(16, 3) * 0.5 + 1 for _ in range(6)], epochs=3)
