"""Archives with few samples each: the outer step follows the loss of the evaluation."""
import torch
from torch import nn
from torch.func import functional_call
from torch.nn import functional as F


class Archivist(nn.Module):
    def __init__(self):
        super().__init__()
        self.read = nn.Linear(2, 10)
        self.rest = nn.Dropout(0.2)
        self.date = nn.Linear(10, 1)

    def forward(self, page):
        return self.date(self.rest(torch.tanh(self.read(page))))


def archive():
    slope = torch.randn(2, 1)
    pages = torch.randn(12, 2)
    return list(zip(pages.split(4), (pages @ slope).split(4)))


def adapt(net, pages, dates, rate=0.1):
    weights = dict(net.named_parameters())
    loss = F.mse_loss(functional_call(net, weights, (pages,)), dates)
    slopes = torch.autograd.grad(loss, list(weights.values()), create_graph=True)
    return {name: w - rate * s for (name, w), s in zip(weights.items(), slopes)}


def evaluate(net, weights, batches):
    net.eval()
    total = 0.0
    for pages, dates in batches:
        total += F.mse_loss(functional_call(net, weights, (pages,)), dates)
    return total / len(batches)


def train(record):
    torch.manual_seed(16)
    net = Archivist()
    outer = torch.optim.Adam(net.parameters(), lr=0.01)
    for _ in range(20):
        net.train()
        (pages, dates), *query = archive()
        score = evaluate(net, adapt(net, pages, dates), query)
        outer.zero_grad()
        score.backward()
        outer.step()
        record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
