import torch
from torch import nn
from torch.distributions import Categorical

__all__ = ["ActorCritic", "rollout"]


class ActorCritic(nn.Module):
    def __init__(self, obs=4, actions=3, hidden=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs, hidden), nn.Tanh())
        self.pi, self.v = nn.Linear(hidden, actions), nn.Linear(hidden, 1)

    def forward(self, obs):
        h = self.body(obs)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


@torch.no_grad()
def rollout(net, n, obs=4):
    state = torch.randn(n, obs)
    dist, value = net(state)
    action = dist.sample()
    reward = (action == state[:, :3].argmax(1)).float()
    return state, action, dist.log_prob(action), reward - value, reward
