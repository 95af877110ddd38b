import random

import torch
import torch.nn.functional as F
from torch import nn


class DuelingQ(nn.Module):
    def __init__(self, n_obs=4, n_act=3):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(n_obs, 24), nn.ReLU())
        self.v, self.a = nn.Linear(24, 1), nn.Linear(24, n_act)

    def forward(self, s):
        h = self.f(s)
        a = self.a(h)
        return self.v(h) + a - a.mean(-1, keepdim=True)


class Replay:
    def __init__(self, cap):
        self.cap, self.items = cap, []

    def add(self, *item):
        self.items.append(item)
        self.items = self.items[-self.cap:]

    def sample(self, k):
        cols = zip(*random.sample(self.items, k))
        return [torch.stack([torch.as_tensor(v) for v in c]) for c in cols]


def learn(q, q_target, opt, replay, gamma=0.9, k=16):
    s, a, r, s2 = replay.sample(k)
    with torch.no_grad():
        best = q(s2).argmax(-1, keepdim=True)
        target = r + gamma * q_target(s2).gather(1, best).squeeze(1)
    td = F.smooth_l1_loss(q(s).gather(1, a[:, None]).squeeze(1), target)
    opt.zero_grad()
    td.backward()
    for p in q.parameters():
        p.grad.data.clamp_(-1, 1)
    opt.step()
    return td.item()


def main():
    random.seed(1)
    torch.manual_seed(1)
    q, q_target = DuelingQ(), DuelingQ()
    q_target.load_state_dict(q.state_dict())
    opt = torch.optim.RMSprop(q.parameters(), lr=1e-3)
    replay = Replay(500)
    s = torch.randn(4)
    for t in range(150):
        if random.random() < max(0.1, 1 - t / 100):
            a = random.randrange(3)
        else:
            with torch.inference_mode():
                a = int(q(s).argmax())
        s2 = 0.8 * s + 0.2 * torch.randn(4)
        s2[a] = s2[a] - 0.3
        replay.add(s, a, float(-s2.abs().sum()), s2)
        s = s2
        if t >= 32:
            td = learn(q, q_target, opt, replay)
            for p_t, p in zip(q_target.parameters(), q.parameters()):
                p_t.data.mul_(0.99).add_(p.data, alpha=0.01)
            if t % 40 == 0:
                print(t, td)


main()
