import torch
import torch.nn.functional as F
from torch import nn


def policy_update(policy, optimizer, states, actions, returns):
    logp = F.log_softmax(policy(states), dim=-1)
    chosen = logp.gather(1, actions.unsqueeze(1)).squeeze(1)
    advantage = returns - returns.mean()
    loss = -(chosen * advantage).mean()
    loss.backward()
    optimizer.zero_grad()
    optimizer.step()
    return loss.item()


torch.manual_seed(21)
policy = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 3))
optimizer = torch.optim.Adam(policy.parameters(), lr=5e-3)
for episode in range(15):
    s = torch.randn(32, 4)
    with torch.no_grad():
        a = torch.distributions.Categorical(logits=policy(s)).sample()
    r = (a == s.argmax(1).clamp(max=2)).float()
    value = policy_update(policy, optimizer, s, a, r)
    print(episode, round(value, 4))
