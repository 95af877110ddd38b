"""Soft actor-critic on a toy bandit with twin critics."""
import torch
from torch import nn
from torch.nn import functional as F


class Twin(nn.Module):
    def __init__(self, states, actions):
        super().__init__()
        self.heads = nn.ModuleList(
            nn.Sequential(nn.Linear(states + actions, 24), nn.ReLU(), nn.Linear(24, 1)) for _ in range(2)
        )

    def forward(self, state, action):
        joint = torch.cat([state, action], 1)
        return [head(joint).squeeze(1) for head in self.heads]


class Agent:
    def __init__(self):
        self.actor = nn.Sequential(nn.Linear(3, 24), nn.Tanh(), nn.Linear(24, 2))
        self.critic = Twin(3, 1)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=3e-3)
        self.critic_opt = torch.optim.SGD(self.critic.parameters(), lr=3e-2)

    def sample(self, state):
        mean, log_std = self.actor(state).chunk(2, 1)
        std = log_std.clamp(-3, 1).exp()
        action = mean + std * torch.randn_like(mean)
        return torch.tanh(action), -log_std.squeeze(1)

    def learn_critic(self, state, action, reward):
        first, second = self.critic(state, action)
        loss = F.mse_loss(first, reward) + F.mse_loss(second, reward)
        loss.backward()
        self.critic_opt.step()
        self.critic_opt.zero_grad()

    def learn_actor(self, state, temperature=0.05):
        action, surprise = self.sample(state)
        value = torch.min(*self.critic(state, action))
        self.actor_opt.zero_grad()
        (temperature * surprise - value).mean().backward()
        self.actor_opt.step()


def train(record):
    torch.manual_seed(101)
    agent = Agent()
    for _ in range(25):
        state = torch.randn(32, 3)
        with torch.no_grad():
            action, _ = agent.sample(state)
        reward = -(action.squeeze(1) - state.mean(1)).pow(2)
        agent.learn_critic(state, action, reward)
        record(list(agent.critic.parameters()))
        agent.learn_actor(state)
        record(list(agent.actor.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
