import torch
from torch import nn


class Trainer:
    def __init__(self, model, data, lr=1e-2):
        self.model, self.data = model, data
        self.optimizer = torch.optim.Adagrad(model.parameters(), lr=lr)
        self.loss_fn = nn.SmoothL1Loss()

    def step(self, batch):
        x, y = batch
        loss = self.loss_fn(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def run(self, epochs):
        for e in range(epochs):
            losses = [self.step(b) for b in self.data]
            print(f"epoch {e}: {sum(losses) / len(losses):.4f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    data = [(torch.randn(9, 4), torch.randn(9, 2)) for _ in range(10)]
    Trainer(nn.Sequential(nn.Linear(4, 8), nn.Sigmoid(), nn.Linear(8, 2)), data).run(3)
