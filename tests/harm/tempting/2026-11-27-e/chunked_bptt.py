import torch
from torch import nn


class Stream(nn.Module):
    def __init__(self, inputs=3, hidden=10):
        super().__init__()
        self.cell = nn.GRUCell(inputs, hidden)
        self.read = nn.Linear(hidden, 1)

    def forward(self, x, h):
        h = self.cell(x, h)
        return self.read(h), h


class Tally:
    def __init__(self):
        self.reset()

    def reset(self):
        self.total, self.count = 0.0, 0

    def add(self, term):
        self.total = self.total + term
        self.count += 1

    def mean(self):
        return self.total / self.count


class Trainer:
    def __init__(self, model, every, record):
        self.model, self.every, self.record = model, every, record
        self.optimizer = torch.optim.RMSprop(model.parameters(), lr=0.01)
        self.tally = Tally()

    def observe(self, x, y, h):
        out, h = self.model(x, h)
        self.tally.add(nn.functional.smooth_l1_loss(out, y))
        return h

    def flush(self):
        if not self.tally.count:
            return
        self.optimizer.zero_grad()
        self.tally.mean().backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.record(list(self.model.parameters()))
        self.tally.reset()

    def sequence(self, xs, ys):
        h = torch.zeros(xs.size(1), 10)
        for t, (x, y) in enumerate(zip(xs, ys), 1):
            h = self.observe(x, y, h)
            if t % self.every == 0:
                self.flush()
                h = h.detach()
        self.flush()


def train(record):
    torch.manual_seed(4)
    trainer = Trainer(Stream(), 5, record)
    for epoch in range(2):
        for _ in range(3):
            xs = torch.randn(13, 4, 3)
            trainer.sequence(xs, xs.cumsum(0).mean(2, keepdim=True))
        print("epoch", epoch, "pending", trainer.tally.count)


if __name__ == "__main__":
    train(lambda parameters: None)
