import torch
import torch.nn as nn
from torch.distributions import Categorical


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(5, 32), nn.Tanh())
        self.policy, self.value = nn.Linear(32, 3), nn.Linear(32, 1)

    def forward(self, o):
        h = self.trunk(o)
        return Categorical(logits=self.policy(h)), self.value(h).squeeze(-1)


def rollout(net, n=96):
    o = torch.randn(n, 5)
    with torch.no_grad():
        d, v = net(o)
        a = d.sample()
    r = (a == o[:, :3].argmax(1)).float()
    return o, a, d.log_prob(a), r, r - v


def update(net, opt, data, epochs=6, target_kl=0.01, bad_limit=50.0):
    o, a, logp0, ret, adv = data
    skipped = 0
    for epoch in range(epochs):
        kl_seen = []
        for i in torch.randperm(len(o)).split(24):
            d, v = net(o[i])
            logratio = d.log_prob(a[i]) - logp0[i]
            ratio = logratio.exp()
            loss = -torch.min(ratio * adv[i], ratio.clamp(0.8, 1.2) * adv[i]).mean() + 0.5 * (v - ret[i]).pow(2).mean()
            kl_seen.append(((ratio - 1) - logratio).mean().item())
            loss.backward()
            norm = nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            if not torch.isfinite(norm) or norm > bad_limit:
                opt.zero_grad()
                skipped += 1
                continue
            opt.step()
            opt.zero_grad()
        if sum(kl_seen) / len(kl_seen) > target_kl:
            break
    return epoch + 1, skipped


def main():
    torch.manual_seed(0)
    net = Net()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    anneal = torch.optim.lr_scheduler.LambdaLR(opt, lambda k: 1 - k / 10)
    for k in range(8):
        data = rollout(net)
        used, skipped = update(net, opt, data)
        anneal.step()
        print(f"iteration {k} reward {data[3].mean():.3f} passes {used} skipped {skipped}")


if __name__ == "__main__":
    main()
