"""Value and policy look through one eye; each of their optimizers moves the eye as well."""
import torch
from torch import nn
from torch.nn import functional as F


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.eye = nn.Sequential(nn.Linear(5, 16), nn.Tanh())
        self.policy = nn.Linear(16, 3)
        self.value = nn.Linear(16, 1)


def bandit(context, action):
    return torch.cos(context.gather(1, action.unsqueeze(1)).squeeze(1) * 2)


def explore(agent, n):
    context = torch.randn(n, 5)
    with torch.no_grad():
        action = torch.distributions.Categorical(logits=agent.policy(agent.eye(context))).sample()
    return context, action, bandit(context, action)


def train(record):
    torch.manual_seed(83)
    agent = Agent()
    value_opt = torch.optim.SGD([*agent.eye.parameters(), *agent.value.parameters()], lr=0.05)
    policy_opt = torch.optim.SGD([*agent.eye.parameters(), *agent.policy.parameters()], lr=0.1)
    for _ in range(30):
        context, action, reward = explore(agent, 32)

        value_opt.zero_grad()
        F.mse_loss(agent.value(agent.eye(context)).squeeze(1), reward).backward()
        value_opt.step()
        record(list(agent.parameters()))

        seen = agent.eye(context)
        advantage = reward - agent.value(seen).squeeze(1).detach()
        policy_opt.zero_grad()
        F.cross_entropy(agent.policy(seen), action, reduction="none").mul(advantage).mean().backward()
        policy_opt.step()
        record(list(agent.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
