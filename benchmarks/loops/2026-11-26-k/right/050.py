import torch
from torch import nn


def policy_net():
    return nn.Sequential(nn.Linear(4, 20), nn.Tanh(), nn.Linear(20, 3))


def episode(net, length=12):
    logps, rewards = [], []
    obs = torch.randn(4)
    for _ in range(length):
        dist = torch.distributions.Categorical(logits=net(obs))
        act = dist.sample()
        rewards.append(float(act == obs[:3].argmax()))
        logps.append(dist.log_prob(act))
        obs = torch.randn(4)
    returns = torch.tensor(rewards).flip(0).cumsum(0).flip(0)
    return -(torch.stack(logps) * (returns - returns.mean())).sum(), sum(rewards)


torch.manual_seed(150)
net = policy_net()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
EPISODES_PER_UPDATE = 4
pending, scores = [], []
for ep in range(1, 61):
    loss, score = episode(net)
    pending.append(loss)
    scores.append(score)
    if len(pending) == EPISODES_PER_UPDATE:
        opt.zero_grad()
        torch.stack(pending).mean().backward()
        opt.step()
        pending.clear()
    if ep % 20 == 0:
        print(ep, sum(scores[-20:]) / 20)
