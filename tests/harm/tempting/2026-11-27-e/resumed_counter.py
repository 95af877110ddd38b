import io

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Session:
    def __init__(self, accum):
        self.accum = accum
        self.model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.micro = 0
        self.epoch = 0

    def save(self):
        buffer = io.BytesIO()
        grads = [None if p.grad is None else p.grad.clone() for p in self.model.parameters()]
        torch.save(
            {
                "model": self.model.state_dict(),
                "optimizer": self.optimizer.state_dict(),
                "grads": grads,
                "micro": self.micro,
                "epoch": self.epoch,
            },
            buffer,
        )
        return buffer.getvalue()

    def load(self, blob):
        state = torch.load(io.BytesIO(blob))
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        for p, g in zip(self.model.parameters(), state["grads"]):
            p.grad = g
        self.micro, self.epoch = state["micro"], state["epoch"]

    def run(self, loader, until, record):
        while self.epoch < until:
            for x, y in loader:
                loss = nn.functional.mse_loss(self.model(x), y)
                (loss / self.accum).backward()
                self.micro += 1
                if self.micro % self.accum == 0:
                    self.optimizer.step()
                    self.optimizer.zero_grad()
                    record(list(self.model.parameters()))
            self.epoch += 1


def train(record):
    torch.manual_seed(2)
    x = torch.randn(45, 3)
    loader = DataLoader(TensorDataset(x, x.prod(1, keepdim=True)), batch_size=5)
    first = Session(accum=4)
    first.run(loader, 1, record)
    blob = first.save()
    second = Session(accum=4)
    second.load(blob)
    second.run(loader, 4, record)
    print("epochs", second.epoch, "micro-batches", second.micro)


if __name__ == "__main__":
    train(lambda parameters: None)
