import torch
from torch import nn


def mlp(inputs, outputs, hidden=32):
    return nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, outputs))


class GaussianActor(nn.Module):
    def __init__(self, observation, action):
        super().__init__()
        self.net = mlp(observation, 2 * action)

    def forward(self, state, greedy=False):
        mean, log_std = self.net(state).chunk(2, -1)
        dist = torch.distributions.Normal(mean, log_std.clamp(-4, 1).exp())
        raw = mean if greedy else dist.rsample()
        log_prob = (dist.log_prob(raw) - torch.log(1 - torch.tanh(raw) ** 2 + 1e-5)).sum(-1)
        return torch.tanh(raw), log_prob


class TwinCritic(nn.Module):
    def __init__(self, observation, action):
        super().__init__()
        self.first = mlp(observation + action, 1)
        self.second = mlp(observation + action, 1)

    def forward(self, state, action):
        both = torch.cat([state, action], -1)
        return self.first(both).squeeze(-1), self.second(both).squeeze(-1)
