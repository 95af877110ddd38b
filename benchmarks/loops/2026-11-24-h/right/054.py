import collections
import copy
import random

import torch
import torch.nn.functional as F
from torch import nn

Step = collections.namedtuple("Step", "s a r s2 end")


class Grid:
    def __init__(self, n=5):
        self.n = n

    def obs(self):
        v = torch.zeros(2 * self.n)
        v[self.x], v[self.n + self.y] = 1, 1
        return v

    def reset(self):
        self.x = self.y = self.t = 0
        return self.obs()

    def step(self, a):
        dx, dy = [(1, 0), (-1, 0), (0, 1), (0, -1)][a]
        self.x = min(max(self.x + dx, 0), self.n - 1)
        self.y = min(max(self.y + dy, 0), self.n - 1)
        self.t += 1
        goal = self.x == self.y == self.n - 1
        return self.obs(), 1.0 if goal else -0.02, goal or self.t >= 40


def dqn(total=600, train_freq=4, sync_freq=50, warm=64):
    env, memory = Grid(), collections.deque(maxlen=2000)
    online = nn.Sequential(nn.Linear(10, 48), nn.ReLU(), nn.Linear(48, 4))
    target = copy.deepcopy(online).requires_grad_(False)
    target.eval()
    opt = torch.optim.Adam(online.parameters(), lr=2e-3)
    s, t, wins = env.reset(), 0, 0
    while t < total:
        eps = max(0.1, 1 - t / 300)
        if random.random() < eps:
            a = random.randrange(4)
        else:
            with torch.no_grad():
                a = online(s).argmax().item()
        s2, r, end = env.step(a)
        memory.append(Step(s, torch.tensor(a), torch.tensor(r), s2, torch.tensor(float(end))))
        wins += r > 0
        s = env.reset() if end else s2
        if len(memory) > warm and t % train_freq == 0:
            b = Step(*map(torch.stack, zip(*random.sample(memory, 32))))
            with torch.no_grad():
                y = b.r + 0.95 * (1 - b.end) * target(b.s2).max(1).values
            q = online(b.s).gather(1, b.a[:, None]).squeeze(1)
            opt.zero_grad()
            F.smooth_l1_loss(q, y).backward()
            for w in online.parameters():
                w.grad.clamp_(-1, 1)
            opt.step()
        if t % sync_freq == 0:
            target.load_state_dict(online.state_dict())
        t += 1
    return wins


if __name__ == "__main__":
    torch.manual_seed(0)
    random.seed(0)
    print("goals reached:", dqn())
