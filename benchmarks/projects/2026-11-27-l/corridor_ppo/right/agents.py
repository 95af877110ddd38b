from typing import NamedTuple

import torch
from torch import nn


class Agent(NamedTuple):
    policy: nn.Module
    value: nn.Module
    weights: object
    optimizer: torch.optim.Optimizer


def mlp(n_in, n_out):
    return nn.Sequential(nn.Linear(n_in, 32), nn.Tanh(), nn.Linear(32, n_out))


def make_agent(obs_dim, n_actions, lr):
    policy, value = mlp(obs_dim, n_actions), mlp(obs_dim, 1)
    weights = [*policy.parameters(), *value.parameters()]
    return Agent(policy, value, weights, torch.optim.Adam(weights, lr=lr))
