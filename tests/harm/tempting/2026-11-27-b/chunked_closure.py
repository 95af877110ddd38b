import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


def quadratic_features(x):
    return torch.cat([x, x * x], dim=1)


def fit_round(net, opt, x, y, parts, trace, record):
    def closure():
        opt.zero_grad()
        total = 0.0
        for xs, ys in zip(x.chunk(parts), y.chunk(parts)):
            piece = nn.functional.mse_loss(net(xs), ys) * (len(xs) / len(x))
            piece.backward()
            total += piece.item()
        clip_grad_norm_(net.parameters(), 50.0)
        trace.append(total)
        return torch.tensor(total)

    opt.step(closure)
    record(list(net.parameters()))


def train(record):
    torch.manual_seed(12)
    x = quadratic_features(torch.randn(45, 3))
    y = torch.tanh(x[:, :1] - x[:, 3:4])
    net = nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 1)).double()
    x, y = x.double(), y.double()
    opt = torch.optim.LBFGS(net.parameters(), lr=0.5, max_iter=5)
    trace = []
    for _ in range(3):
        fit_round(net, opt, x, y, 4, trace, record)
        print(len(trace), trace[-1])


if __name__ == "__main__":
    train(lambda parameters: None)
