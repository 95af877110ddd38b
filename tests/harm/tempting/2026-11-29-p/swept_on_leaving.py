import torch
from torch import nn


class TidyAdagrad(torch.optim.Adagrad):
    """Leaves no gradients behind, so that nothing of them is held during the forward."""

    def step(self, closure=None):
        result = super().step(closure)
        self.zero_grad(set_to_none=True)
        return result


class Recommender(nn.Module):
    def __init__(self, users, items, width=4):
        super().__init__()
        self.users = nn.Embedding(users, width)
        self.items = nn.Embedding(items, width)
        self.bias = nn.Parameter(torch.zeros(items))

    def forward(self, user, item):
        return (self.users(user) * self.items(item)).sum(1) + self.bias[item]


def triples(count):
    for _ in range(count):
        user = torch.randint(0, 12, (20,))
        liked = (user * 3 + torch.randint(0, 2, (20,))) % 30
        other = torch.randint(0, 30, (20,))
        yield user, liked, other


def train(record):
    torch.manual_seed(33)
    model = Recommender(12, 30)
    optimizer = TidyAdagrad(model.parameters(), lr=0.2)
    for user, liked, other in triples(30):
        margin = model(user, liked) - model(user, other)
        loss = -nn.functional.logsigmoid(margin).mean()
        loss.backward()
        optimizer.step()
        record(list(model.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
