import torch
from torch import nn


class AC:
    def __init__(self):
        self.pi = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 2))
        self.v = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1))
        self.pi_opt = torch.optim.Adam(self.pi.parameters(), lr=3e-3)
        self.v_opt = torch.optim.Adam(self.v.parameters(), lr=1e-2)

    def update(self, s, a, ret):
        value = self.v(s).squeeze(1)
        adv = (ret - value).detach()
        logp = torch.distributions.Categorical(logits=self.pi(s)).log_prob(a)
        pi_loss = -(logp * adv).mean()
        self.pi_opt.zero_grad()
        pi_loss.backward()
        self.pi_opt.step()

        v_loss = (value - ret).pow(2).mean()
        v_loss.backward()
        self.v_opt.step()
        return pi_loss.item(), v_loss.item()


def rollout(n=40):
    s = torch.randn(n, 3)
    a = torch.randint(0, 2, (n,))
    return s, a, torch.where(a == (s[:, 0] > 0), 1.0, -1.0)


if __name__ == "__main__":
    torch.manual_seed(0)
    ac = AC()
    for it in range(30):
        p, v = ac.update(*rollout())
        if it % 10 == 0:
            print(it, p, v)
