import random
from collections import deque, namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F

Transition = namedtuple("Transition", "s a r s2 d")


class ReplayBuffer:
    def __init__(self, cap):
        self.buf = deque(maxlen=cap)

    def push(self, *args):
        self.buf.append(Transition(*args))

    def sample(self, k):
        cols = Transition(*zip(*random.sample(self.buf, k)))
        return torch.stack(cols.s), torch.tensor(cols.a), torch.tensor(cols.r), torch.stack(cols.s2), torch.tensor(cols.d)

    def __len__(self):
        return len(self.buf)


def qnet():
    return nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2))


class DQNAgent:
    def __init__(self, gamma=0.95, tau=0.05):
        self.policy_net, self.target_net = qnet(), qnet()
        self.target_net.load_state_dict(self.policy_net.state_dict())
        self.opt = torch.optim.AdamW(self.policy_net.parameters(), lr=1e-3, amsgrad=True)
        self.gamma, self.tau = gamma, tau
        self.memory = ReplayBuffer(500)

    def act(self, s, eps):
        if random.random() < eps:
            return random.randrange(2)
        with torch.no_grad():
            return self.policy_net(s).argmax().item()

    def learn(self, batch_size=16):
        if len(self.memory) < batch_size:
            return None
        s, a, r, s2, d = self.memory.sample(batch_size)
        q = self.policy_net(s).gather(1, a.unsqueeze(1)).squeeze(1)
        with torch.no_grad():
            target = r + self.gamma * self.target_net(s2).max(1).values * (1 - d)
        td = F.smooth_l1_loss(q, target)
        td.backward()
        self.opt.zero_grad()
        self.opt.step()
        return td.item()

    def soft_update(self):
        with torch.no_grad():
            for tp, pp in zip(self.target_net.parameters(), self.policy_net.parameters()):
                tp.mul_(1 - self.tau).add_(self.tau * pp)


if __name__ == "__main__":
    random.seed(0), torch.manual_seed(0)
    agent = DQNAgent()
    s = torch.randn(4)
    for t in range(80):
        a = agent.act(s, eps=max(0.05, 1 - t / 40))
        s2 = torch.randn(4) + a
        agent.memory.push(s, a, float(s2.sum() > 2), s2, float(t % 20 == 19))
        loss = agent.learn()
        agent.soft_update()
        s = s2
        if t % 20 == 19:
            print(t, loss)
