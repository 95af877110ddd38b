"""Soft actor-critic update with one scaler for three optimizers."""
import torch
import torch.nn as nn
import torch.nn.functional as F

DEV = "cuda" if torch.cuda.is_available() else "cpu"


def head(i, o):
    return nn.Sequential(nn.Linear(i, 32), nn.ReLU(), nn.Linear(32, o))


class SAC:
    def __init__(self, obs=4, act=2, target_entropy=-2.0):
        self.pi = head(obs, 2 * act).to(DEV)
        self.q = head(obs + act, 1).to(DEV)
        self.log_alpha = nn.Parameter(torch.zeros(1, device=DEV))
        self.groups = {
            "q": (torch.optim.Adam(self.q.parameters(), 3e-3), list(self.q.parameters())),
            "pi": (torch.optim.Adam(self.pi.parameters(), 3e-3), list(self.pi.parameters())),
            "alpha": (torch.optim.Adam([self.log_alpha], 3e-3), [self.log_alpha]),
        }
        self.scaler = torch.amp.GradScaler(DEV, init_scale=128.0)
        self.target_entropy = target_entropy

    def sample(self, o):
        with torch.autocast(DEV, dtype=torch.float16):
            mu, log_std = self.pi(o).chunk(2, -1)
        dist = torch.distributions.Normal(mu.float(), log_std.float().clamp(-4, 1).exp())
        raw = dist.rsample()
        a = raw.tanh()
        return a, (dist.log_prob(raw) - torch.log(1 - a.pow(2) + 1e-6)).sum(-1, keepdim=True)

    def value(self, o, a):
        with torch.autocast(DEV, dtype=torch.float16):
            return self.q(torch.cat([o, a], -1))

    def _apply(self, name, loss):
        opt, params = self.groups[name]
        opt.zero_grad()
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(params, 1.0)
        self.scaler.step(opt)

    def update(self, o, a, r):
        self._apply("q", F.mse_loss(self.value(o, a).float(), r))
        new_a, logp = self.sample(o)
        alpha = self.log_alpha.exp().detach()
        self._apply("pi", (alpha * logp - self.value(o, new_a).float()).mean())
        self._apply("alpha", -(self.log_alpha * (logp.detach() + self.target_entropy)).mean())
        self.scaler.update()
        return logp.mean().item()


if __name__ == "__main__":
    torch.manual_seed(0)
    agent = SAC()
    for k in range(40):
        o = torch.randn(64, 4, device=DEV)
        with torch.no_grad():
            a, _ = agent.sample(o)
        r = -(a - o[:, :2].tanh()).square().sum(-1, keepdim=True)
        logp = agent.update(o, a, r)
        if k % 10 == 9:
            print(f"update {k + 1}: reward {r.mean().item():.3f} logp {logp:.3f}")
