import torch
from torch import nn
from torch.distributions import Bernoulli


def warmup(optimizer, steps):
    sched = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: min(1.0, (s + 1) / steps))

    def advance():
        sched.step()
        return sched.get_last_lr()[0]

    return advance


class Walker:
    """Stay near the origin of a noisy line."""

    def reset(self):
        self.x, self.t = torch.randn(1), 0
        return self.x

    def step(self, right):
        self.x = self.x + (0.5 if right else -0.5) + 0.1 * torch.randn(1)
        self.t += 1
        return self.x, -self.x.abs().item(), self.t >= 8


def play(env, policy):
    obs, logps, rewards, done = env.reset(), [], [], False
    while not done:
        dist = Bernoulli(logits=policy(obs))
        action = dist.sample()
        obs, r, done = env.step(bool(action))
        logps.append(dist.log_prob(action))
        rewards.append(r)
    returns = torch.tensor(rewards).flip(0).cumsum(0).flip(0)
    return torch.cat(logps), (returns - returns.mean()) / (returns.std() + 1e-6)


def reinforce(episodes=24, lr=0.02):
    env = Walker()
    policy = nn.Sequential(nn.Linear(1, 12), nn.ReLU(), nn.Linear(12, 1))
    opt = torch.optim.Adam(policy.parameters(), lr=lr)
    advance = warmup(opt, steps=10)
    losses = []
    for ep in range(episodes):
        logps, adv = play(env, policy)
        loss = -(logps * adv).sum()
        opt.zero_grad()
        loss.backward()
        rate = advance()
        opt.step()
        losses.append(loss)
        if ep % 8 == 7:
            print(ep, f"lr={rate:.4f}", f"mean={sum(losses).item() / len(losses):.3f}")


torch.manual_seed(6)
reinforce()
