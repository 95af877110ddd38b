import itertools
import torch
import torch.nn as nn
from torch.optim.lr_scheduler import CosineAnnealingLR


def rollouts(env_dim, length=10):
    while True:
        obs = torch.randn(length, env_dim)
        rew = obs[:, 0].cos()
        ret = torch.zeros(length)
        acc = torch.tensor(0.0)
        for k in reversed(range(length)):
            acc = rew[k] + 0.9 * acc
            ret[k] = acc
        yield obs, ret


class ValueNet(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(dim, 20), nn.ELU())
        self.v = nn.Linear(20, 1)

    def forward(self, obs):
        return self.v(self.body(obs)).squeeze(-1)


class ValueLearner:
    accumulate_grad_batches = 4
    updates = 6

    def __init__(self, dim=4):
        self.net = ValueNet(dim)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=1e-2)
        self.lr_sched = CosineAnnealingLR(self.optimizer, T_max=self.updates)
        self.source = rollouts(dim)

    def micro_step(self, obs, ret):
        loss = (self.net(obs) - ret).pow(2).mean()
        loss.backward()
        return loss.item()

    def fit(self):
        history = []
        for _ in range(self.updates):
            self.optimizer.zero_grad()
            for obs, ret in itertools.islice(self.source, self.accumulate_grad_batches):
                history.append(self.micro_step(obs, ret))
                self.lr_sched.step()
            self.optimizer.step()
        return history


torch.manual_seed(5)
losses = ValueLearner().fit()
print("first", losses[0], "last", losses[-1])
