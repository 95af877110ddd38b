import torch
from torch.distributions import Categorical

torch.manual_seed(1)
net = torch.nn.Sequential(torch.nn.Linear(2, 16), torch.nn.Tanh(), torch.nn.Linear(16, 2))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
history = []
for episode in range(12):
    pos, log_probs, rewards = 0.0, [], []
    for t in range(10):
        dist = Categorical(logits=net(torch.tensor([pos, t / 10])))
        a = dist.sample()
        log_probs.append(dist.log_prob(a))
        pos += 0.2 if a.item() else -0.2
        rewards.append(-abs(pos - 1.0))
    returns, g = [], 0.0
    for r in reversed(rewards):
        g = r + 0.95 * g
        returns.insert(0, g)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + 1e-6)
    total = 0
    for lp, ret in zip(log_probs, returns):
        total += -lp * ret
    opt.zero_grad()
    total.backward()
    opt.step()
    history.append(total.detach())
print(torch.stack(history[-3:]).mean().item())
