"""Churn model with early stopping on the smoothed training loss."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Stopper:
    def __init__(self, target, beta=0.8):
        self.target, self.beta, self.value = target, beta, None

    def update(self, loss):
        self.value = loss if self.value is None else self.beta * self.value + (1 - self.beta) * loss
        return self.value < self.target


def customers(n=160):
    x = torch.randn(n, 10)
    churned = torch.sigmoid(2 * x[:, 0] - x[:, 1] + x[:, 2] * x[:, 3]) > 0.5
    return TensorDataset(x, churned.float().unsqueeze(1))


class Churn:
    def __init__(self, accum):
        self.accum = accum
        self.net = nn.Sequential(nn.Linear(10, 24), nn.ReLU(), nn.Linear(24, 1))
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.5, momentum=0.9)

    def share(self, x, y):
        """The loss of one micro-batch, as a share of its window."""
        return nn.functional.binary_cross_entropy_with_logits(self.net(x), y) / self.accum


def train(record, accum=4, epochs=8):
    torch.manual_seed(6)
    loader = DataLoader(customers(), batch_size=10, shuffle=True)
    churn, stopper = Churn(accum), Stopper(target=0.45)
    for epoch in range(epochs):
        shares = 0.0
        for n, (x, y) in enumerate(loader, start=1):
            part = churn.share(x, y)
            (part / accum).backward()
            shares += part.item()
            if n % accum:
                continue
            churn.optimizer.step()
            record(list(churn.net.parameters()))
            churn.optimizer.zero_grad()
            if stopper.update(shares):
                print("stopped in epoch", epoch)
                return
            shares = 0.0
        print(epoch, f"{stopper.value:.4f}")


if __name__ == "__main__":
    train(lambda parameters: None)
