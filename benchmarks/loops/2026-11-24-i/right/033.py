import torch
from torch import nn


class Walk:
    def reset(self):
        self.at, self.left = 0, 8
        return torch.tensor([0.0, 8.0])

    def step(self, move):
        self.at += 1 if move else -1
        self.left -= 1
        return torch.tensor([float(self.at), float(self.left)]), float(self.at > 0), self.left == 0


torch.manual_seed(33)
pi = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 2))
opt = torch.optim.Adam(pi.parameters(), lr=1e-2)
env = Walk()
for episode in range(10):
    s, done, logs, gains = env.reset(), False, [], []
    while not done:
        d = torch.distributions.Categorical(logits=pi(s))
        a = d.sample()
        logs.append(d.log_prob(a))
        s, r, done = env.step(int(a))
        gains.append(r)
    back, out = 0.0, []
    for r in reversed(gains):
        back = r + 0.95 * back
        out.append(back)
    ret = torch.tensor(out[::-1])
    loss = -(torch.stack(logs) * (ret - ret.mean())).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(sum(gains))
