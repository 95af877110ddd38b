"""Policy and value share a trunk, which both optimizers hold."""
import torch
from torch import nn
from torch.nn import functional as F


class PolicyValue(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(5, 16), nn.Tanh())
        self.policy = nn.Linear(16, 3)
        self.value = nn.Linear(16, 1)


def train(record):
    torch.manual_seed(117)
    net = PolicyValue()
    trunk = list(net.trunk.parameters())
    policy_opt = torch.optim.SGD([*trunk, *net.policy.parameters()], lr=0.1)
    value_opt = torch.optim.SGD([*trunk, *net.value.parameters()], lr=0.1)
    best = torch.randn(5, 3)
    for _ in range(25):
        state = torch.randn(32, 5)
        hidden = net.trunk(state)
        picks = torch.distributions.Categorical(logits=net.policy(hidden))
        action = picks.sample()
        reward = (state @ best).gather(1, action.unsqueeze(1)).squeeze(1)
        with torch.no_grad():
            advantage = reward - net.value(hidden).squeeze(1)
        policy_opt.zero_grad()
        (-picks.log_prob(action) * advantage).mean().backward()
        value_opt.zero_grad()
        policy_opt.step()
        record(list(net.parameters()))
        guess = net.value(net.trunk(state)).squeeze(1)
        F.smooth_l1_loss(guess, reward).backward()
        value_opt.step()
        record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
