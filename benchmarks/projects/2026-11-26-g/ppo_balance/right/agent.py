import torch
from torch import nn
from torch.distributions import Categorical


class Agent:
    def __init__(self, hidden=32, clip=0.2):
        self.actor = nn.Sequential(nn.Linear(3, hidden), nn.Tanh(), nn.Linear(hidden, 2))
        self.critic = nn.Sequential(nn.Linear(3, hidden), nn.Tanh(), nn.Linear(hidden, 1))
        self.weights = [*self.actor.parameters(), *self.critic.parameters()]
        self.adam = torch.optim.Adam(self.weights, lr=3e-3)
        self.clip = clip

    def policy_of(self, states):
        return Categorical(logits=self.actor(states))

    def surrogate(self, batch):
        value = self.critic(batch["s"]).squeeze(1)
        gain = batch["g"] - value.detach()
        gain = (gain - gain.mean()) / (gain.std() + 1e-6)
        ratio = (self.policy_of(batch["s"]).log_prob(batch["a"]) - batch["p"]).exp()
        cut = ratio.clamp(1 - self.clip, 1 + self.clip)
        return 0.5 * (value - batch["g"]).pow(2).mean() - torch.min(ratio * gain, cut * gain).mean()

    def optimise(self, loss):
        loss.backward()

    def limit(self, norm):
        return nn.utils.clip_grad_norm_(self.weights, norm)

    def finish(self):
        self.adam.step()
        self.adam.zero_grad()
