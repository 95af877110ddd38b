import torch
from torch import nn
from torch.distributions import Normal


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.mu = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1))
        self.v = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1))
        self.log_std = nn.Parameter(torch.zeros(1))

    def dist(self, s):
        return Normal(self.mu(s), self.log_std.exp())


def collect(net, n=64):
    s = torch.randn(n, 3)
    with torch.no_grad():
        d = net.dist(s)
        a = d.sample()
        return s, a, d.log_prob(a), -(a - s[:, :1]).abs(), net.v(s)


def main():
    torch.manual_seed(0)
    net = Net()
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
    for update in range(4):
        s, a, logp, ret, val = collect(net)
        adv = ret - val
        for _ in range(3):
            for idx in torch.randperm(len(s)).split(16):
                ratio = (net.dist(s[idx]).log_prob(a[idx]) - logp[idx]).exp()
                clipped = ratio.clamp(0.8, 1.2)
                pg = -torch.min(ratio * adv[idx], clipped * adv[idx]).mean()
                vf = (net.v(s[idx]) - ret[idx]).pow(2).mean()
                optimizer.zero_grad()
                (pg + 0.5 * vf).backward()
                nn.utils.clip_grad_norm_(net.parameters(), 0.5)
                optimizer.step()
        print(update, ret.mean().item(), vf.item())


if __name__ == "__main__":
    main()
