import torch
from torch.func import functional_call
from torch.nn import functional as F


class MetaLearner:
    """One inner step per task, one outer step per meta batch."""

    def __init__(self, net, inner_lr=0.1):
        self.net, self.inner_lr = net, inner_lr
        self.outer = torch.optim.Adam(net.parameters(), lr=1e-2)
        self.queries = []

    def predict(self, weights, x):
        return functional_call(self.net, weights, (x,))

    def visit(self, task):
        (xs, ys), (xq, yq) = task
        weights = dict(self.net.named_parameters())
        support = F.cross_entropy(self.predict(weights, xs), ys)
        slopes = torch.autograd.grad(support, list(weights.values()), create_graph=True)
        fast = {k: w - self.inner_lr * g for (k, w), g in zip(weights.items(), slopes)}
        loss = F.cross_entropy(self.predict(fast, xq), yq)
        self.queries.append(loss)
        return loss.item()

    def conclude(self):
        mean = torch.stack(self.queries).mean()
        self.outer.zero_grad()
        mean.backward()
        self.outer.step()
        self.queries.clear()


def make_task(ways=3):
    centres = 2 * torch.randn(ways, 4)

    def draw(shots):
        y = torch.arange(ways).repeat(shots)
        return centres[y] + torch.randn(len(y), 4), y

    return draw(2), draw(4)


def train(record):
    torch.manual_seed(5)
    net = torch.nn.Sequential(torch.nn.Linear(4, 16), torch.nn.ReLU(), torch.nn.Linear(16, 3))
    learner = MetaLearner(net)
    for epoch in range(3):
        for _ in range(2):
            seen = [learner.visit(make_task()) for _ in range(4)]
            learner.conclude()
            record(list(net.parameters()))
        print(epoch, sum(seen) / len(seen))


if __name__ == "__main__":
    train(lambda parameters: None)
