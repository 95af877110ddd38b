"""Advantage actor-critic on a toy corridor."""
import torch
import torch.nn as nn
from torch.distributions import Categorical


class Corridor:
    length = 7

    def reset(self):
        self.pos = 3
        self.t = 0
        return self._obs()

    def _obs(self):
        v = torch.zeros(self.length)
        v[self.pos] = 1.0
        return v

    def step(self, a):
        self.pos = max(0, min(self.length - 1, self.pos + (1 if a else -1)))
        self.t += 1
        done = self.pos in (0, self.length - 1) or self.t >= 20
        return self._obs(), float(self.pos == self.length - 1), done


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(7, 32), nn.Tanh())
        self.pi = nn.Linear(32, 2)
        self.v = nn.Linear(32, 1)

    def forward(self, s):
        h = self.body(s)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


def play(env, ac):
    s, done, track = env.reset(), False, []
    while not done:
        dist, value = ac(s)
        a = dist.sample()
        s, r, done = env.step(a.item())
        track.append((dist.log_prob(a), value, dist.entropy(), r))
    return track


def returns(rs, gamma=0.97):
    out, run = [], 0.0
    for r in reversed(rs):
        run = r + gamma * run
        out.append(run)
    return torch.tensor(out[::-1])


def learn(episodes=60, max_norm=0.5):
    env, ac = Corridor(), ActorCritic()
    opt = torch.optim.RMSprop(ac.parameters(), lr=7e-4, alpha=0.99)
    score = 0.0
    for ep in range(episodes):
        logp, val, ent, rew = zip(*play(env, ac))
        ret = returns(rew)
        val = torch.stack(val)
        adv = ret - val.detach()
        policy_loss = -(torch.stack(logp) * adv).mean()
        value_loss = (ret - val).pow(2).mean()
        loss = policy_loss + 0.5 * value_loss - 0.01 * torch.stack(ent).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        nn.utils.clip_grad_norm_(ac.parameters(), max_norm)
        score = 0.95 * score + 0.05 * sum(rew)
    return score


if __name__ == "__main__":
    torch.manual_seed(0)
    print("smoothed return:", round(learn(), 3))
