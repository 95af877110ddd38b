import torch


def make_regression(n, width):
    x = torch.randn(n, width)
    return x, x @ torch.randn(width, 1) + 0.1 * torch.randn(n, 1)


class Ridge(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = torch.nn.Linear(width, 1)

    def forward(self, x, y):
        residual = self.linear(x) - y
        return residual.square().mean() + 1e-3 * self.linear.weight.square().sum()


def fade(parameters, friction):
    with torch.no_grad():
        for p in parameters:
            p.grad.mul_(1.0 - friction)


def train(record):
    torch.manual_seed(103)
    x, y = make_regression(96, 7)
    model = Ridge(7)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
    friction = 0.3
    for epoch in range(3):
        for part in torch.randperm(len(x)).split(16):
            model(x[part], y[part]).backward()
            optimizer.step()
            record(list(model.parameters()))
            fade(model.parameters(), friction)
        friction = min(0.9, friction + 0.1)


if __name__ == "__main__":
    train(lambda parameters: None)
