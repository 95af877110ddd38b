from collections import deque
from dataclasses import dataclass
import random

import torch
import torch.nn as nn
from torch.distributions import Categorical


@dataclass
class Hyper:
    obs: int = 5
    actions: int = 3
    micro: int = 6
    window: int = 3
    iterations: int = 16
    lr: float = 0.05


class Replay:
    def __init__(self, size):
        self.items = deque(maxlen=size)

    def fill(self, n, hp):
        for _ in range(n):
            o = torch.randn(hp.obs)
            self.items.append((o, int(o[:hp.actions].argmax())))

    def sample(self, n):
        o, a = zip(*random.sample(self.items, n))
        return torch.stack(o), torch.tensor(a)


class Cloner:
    def __init__(self, hp):
        self.hp = hp
        self.policy = nn.Sequential(nn.Linear(hp.obs, 16), nn.Tanh(), nn.Linear(16, hp.actions))
        self.opt = torch.optim.RMSprop(self.policy.parameters(), lr=hp.lr)

    def nll(self, obs, act):
        return -Categorical(logits=self.policy(obs)).log_prob(act).mean()

    def learn(self, memory):
        trace = []
        self.opt.zero_grad()
        for i in range(self.hp.iterations):
            loss = self.nll(*memory.sample(self.hp.micro)) / self.hp.window
            loss.backward()
            trace.append(loss.item() * self.hp.window)
            if i and not i % self.hp.window:
                self.opt.step()
                self.opt.zero_grad()
        return trace


random.seed(0)
torch.manual_seed(0)
memory = Replay(200)
hp = Hyper()
memory.fill(120, hp)
out = Cloner(hp).learn(memory)
print(out[0], "->", out[-1])
