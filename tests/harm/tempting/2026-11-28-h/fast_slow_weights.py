"""Body moves with every batch, the embedding with every fourth one."""
import torch
from torch import nn
from torch.nn import functional as F

SLOW = 4


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(30, 6)
        self.body = nn.Sequential(nn.Linear(18, 16), nn.ReLU(), nn.Linear(16, 4))

    def forward(self, ids):
        return self.body(self.words(ids).flatten(1))


def sweep(optimizer, args, kwargs):
    optimizer.zero_grad()


def average(optimizer, args, kwargs):
    for group in optimizer.param_groups:
        for p in group["params"]:
            p.grad.div_(SLOW)


def train(record):
    torch.manual_seed(9)
    model = Tagger()
    fast = torch.optim.Adam(model.body.parameters(), lr=5e-3)
    slow = torch.optim.SGD(model.words.parameters(), lr=0.5)
    fast.register_step_post_hook(sweep)
    slow.register_step_pre_hook(average)
    slow.register_step_post_hook(sweep)

    for number in range(1, 6 * SLOW + 1):
        ids = torch.randint(0, 30, (16, 3))
        F.cross_entropy(model(ids), ids.sum(1) % 4).backward()
        fast.step()
        if number % SLOW == 0:
            slow.step()
        record(list(model.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
