"""Deterministic policy gradient on a toy pendulum."""
import torch
from torch import nn


def mlp(i, o):
    return nn.Sequential(nn.Linear(i, 16), nn.ReLU(), nn.Linear(16, o))


class Agent:
    def __init__(self):
        self.actor, self.critic, self.target = mlp(2, 1), mlp(3, 1), mlp(3, 1)
        self.target.load_state_dict(self.critic.state_dict())
        self.target.requires_grad_(False)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=3e-3)
        self.critic_opt = torch.optim.SGD(self.critic.parameters(), lr=0.05)

    def all(self):
        return [*self.actor.parameters(), *self.critic.parameters()]

    def q(self, net, state, action):
        return net(torch.cat([state, action], 1))

    def learn(self, s, a, r, s2, record):
        with torch.no_grad():
            aim = r + 0.9 * self.q(self.target, s2, self.actor(s2).tanh())
        td = nn.functional.mse_loss(self.q(self.critic, s, a), aim)
        self.critic_opt.zero_grad()
        td.backward()
        self.critic_opt.step()
        record(self.all())

        value = self.q(self.critic, s, self.actor(s).tanh()).mean()
        self.actor_opt.zero_grad()
        (-value).backward()
        self.actor_opt.step()
        record(self.all())

        with torch.no_grad():
            for slow, quick in zip(self.target.parameters(), self.critic.parameters()):
                slow.lerp_(quick, 0.1)
        return td.item(), value.item()


def transitions(n):
    s, a = torch.randn(n, 2), 2 * torch.rand(n, 1) - 1
    s2 = torch.stack([s[:, 0] + 0.1 * s[:, 1], s[:, 1] - 0.1 * s[:, 0].sin() + 0.1 * a[:, 0]], 1)
    return s, a, -s2.pow(2).sum(1, keepdim=True), s2


def train(record):
    torch.manual_seed(88)
    agent, replay = Agent(), transitions(80)
    for epoch in range(2):
        for rows in torch.randperm(80).split(16):
            stats = agent.learn(*(column[rows] for column in replay), record)
        print(epoch, stats)


if __name__ == "__main__":
    train(lambda parameters: None)
