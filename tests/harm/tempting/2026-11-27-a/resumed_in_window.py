import torch
from torch import nn


class Interrupted(Exception):
    pass


class Run:
    def __init__(self, accum):
        self.accum, self.micro = accum, 0
        self.net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1, momentum=0.8)

    def save(self):
        grads = [None if p.grad is None else p.grad.clone() for p in self.net.parameters()]
        weights = {k: v.clone() for k, v in self.net.state_dict().items()}
        return {"net": weights, "opt": self.opt.state_dict(), "grads": grads, "micro": self.micro}

    def load(self, kept):
        self.net.load_state_dict(kept["net"])
        self.opt.load_state_dict(kept["opt"])
        self.micro = kept["micro"]
        for p, grad in zip(self.net.parameters(), kept["grads"]):
            p.grad = grad

    def go(self, stream, record, stop_at=None):
        for at, (x, y) in enumerate(stream[self.micro :], start=self.micro):
            if at == stop_at:
                raise Interrupted
            loss = nn.functional.cross_entropy(self.net(x), y) / self.accum
            loss.backward()
            self.micro = at + 1
            if (at + 1) % self.accum:
                continue
            self.opt.step()
            record(list(self.net.parameters()))
            self.opt.zero_grad()


def train(record):
    torch.manual_seed(107)
    epoch = [(torch.randn(6, 3), torch.randint(0, 2, (6,))) for _ in range(10)]
    stream = epoch + epoch
    first = Run(accum=4)
    try:
        first.go(stream, record, stop_at=6)
    except Interrupted:
        kept = first.save()
    second = Run(accum=4)
    second.load(kept)
    second.go(stream, record)


if __name__ == "__main__":
    train(lambda parameters: None)
