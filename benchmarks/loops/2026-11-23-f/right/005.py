import torch
from torch import nn


def rosen_net():
    torch.manual_seed(2)
    return nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))


def solve(iters=6):
    net = rosen_net()
    xy = torch.rand(80, 2) * 2 - 1
    target = ((1 - xy[:, 0]) ** 2 + (xy[:, 1] - xy[:, 0] ** 2) ** 2).unsqueeze(1)
    lbfgs = torch.optim.LBFGS(net.parameters(), lr=0.5, max_iter=8, line_search_fn="strong_wolfe")

    def closure():
        lbfgs.zero_grad()
        residual = net(xy) - target
        loss = residual.square().mean()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 100.0)
        return loss

    for k in range(iters):
        loss = lbfgs.step(closure)
        with torch.inference_mode():
            worst = (net(xy) - target).abs().max()
        print(k, loss.item(), worst.item())


if __name__ == "__main__":
    solve()
