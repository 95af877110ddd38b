"""Tiny PPO on a one-step control problem with a Gaussian policy."""
import torch
from torch import nn
from torch.distributions import Normal


class ActorCritic(nn.Module):
    def __init__(self, obs=3):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(obs, 24), nn.Tanh(), nn.Linear(24, 1))
        self.critic = nn.Sequential(nn.Linear(obs, 24), nn.Tanh(), nn.Linear(24, 1))
        self.log_std = nn.Parameter(torch.zeros(1))

    def forward(self, s):
        return Normal(self.actor(s), self.log_std.exp()), self.critic(s).squeeze(-1)


@torch.no_grad()
def rollout(ac, n=128):
    s = torch.randn(n, 3)
    dist, value = ac(s)
    a = dist.sample()
    reward = -(a.squeeze(-1) - s.sum(-1)).abs()
    return s, a, dist.log_prob(a).squeeze(-1), reward, reward - value


def main(iterations=6, epochs=3, minibatch=32, clip=0.2):
    torch.manual_seed(0)
    ac = ActorCritic()
    opt = torch.optim.Adam(ac.parameters(), lr=3e-3)
    for it in range(iterations):
        s, a, old_logp, ret, adv = rollout(ac)
        adv = (adv - adv.mean()) / (adv.std() + 1e-8)
        stats = []
        for _ in range(epochs):
            for mb in torch.randperm(len(s)).view(-1, minibatch):
                dist, value = ac(s[mb])
                ratio = (dist.log_prob(a[mb]).squeeze(-1) - old_logp[mb]).exp()
                surr = torch.min(ratio * adv[mb], ratio.clamp(1 - clip, 1 + clip) * adv[mb])
                policy_loss = -surr.mean()
                value_loss = (value - ret[mb]).pow(2).mean()
                loss = policy_loss + 0.5 * value_loss - 0.01 * dist.entropy().mean()

                for p in ac.parameters():
                    p.grad = None
                loss.backward()
                nn.utils.clip_grad_norm_(ac.parameters(), 0.5)
                opt.step()
                stats.append((policy_loss.item(), value_loss.item()))
        mean_v = sum(v for _, v in stats) / len(stats)
        print(f"iteration {it} return {ret.mean().item():.3f} value loss {mean_v:.3f}")


if __name__ == "__main__":
    main()
