from itertools import chain

import torch
from torch import nn
from torch.distributions import Normal


class ActorCritic:
    def __init__(self, obs_dim=3, lr=5e-3, max_grad=0.3):
        self.encoder = nn.Sequential(nn.Linear(obs_dim, 16), nn.Tanh())
        self.mu = nn.Linear(16, 1)
        self.value = nn.Linear(16, 1)
        self.log_std = nn.Parameter(torch.zeros(1))
        self.trainable = chain(self.encoder.parameters(), self.mu.parameters(), self.value.parameters(), [self.log_std])
        self.optim = torch.optim.Adam(self.trainable, lr=lr)
        self.max_grad = max_grad

    def evaluate_actions(self, obs, act):
        h = self.encoder(obs)
        dist = Normal(self.mu(h), self.log_std.exp())
        return dist.log_prob(act).squeeze(-1), dist.entropy().mean(), self.value(h).squeeze(-1)

    def act(self, obs):
        with torch.no_grad():
            h = self.encoder(obs)
            return Normal(self.mu(h), self.log_std.exp()).sample()

    def update(self, obs, act, returns):
        logp, entropy, v = self.evaluate_actions(obs, act)
        adv = returns - v
        pg = -(logp * adv.detach()).mean()
        loss = pg + 0.5 * adv.pow(2).mean() - 0.01 * entropy
        self.optim.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.trainable, self.max_grad)
        self.optim.step()
        return loss.item()


def reward(obs, act):
    return -(act.squeeze(-1) - 3 * obs[:, 0]).pow(2)


torch.manual_seed(2)
agent = ActorCritic()
for episode in range(25):
    obs = torch.randn(32, 3)
    act = agent.act(obs)
    loss = agent.update(obs, act, reward(obs, act))
    if episode % 8 == 0:
        print("episode", episode, "loss", loss)
