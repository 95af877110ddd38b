import torch
from torch import nn
from torch.distributions import Normal


class GaussianPolicy(nn.Module):
    def __init__(self, obs=4, act=2):
        super().__init__()
        self.mu = nn.Sequential(nn.Linear(obs, 32), nn.Tanh(), nn.Linear(32, act))
        self.log_std = nn.Parameter(torch.full((act,), -0.5))
        self.critic = nn.Sequential(nn.Linear(obs, 32), nn.Tanh(), nn.Linear(32, 1))

    def dist(self, o):
        return Normal(self.mu(o), self.log_std.exp())


class PPO:
    clip_eps, vf_coef, ent_coef, max_grad = 0.2, 0.5, 0.0, 0.5

    def __init__(self, agent, lr=3e-4, k_epochs=4, minibatch=32):
        self.agent = agent
        self.k_epochs = k_epochs
        self.minibatch = minibatch
        self.optimizer = torch.optim.Adam(agent.parameters(), lr=lr, eps=1e-5)

    def collect(self, n=128):
        with torch.no_grad():
            o = torch.randn(n, 4)
            d = self.agent.dist(o)
            a = d.sample()
            ret = -(a - o[:, :2]).pow(2).sum(-1)
            adv = ret - self.agent.critic(o).squeeze(-1)
            return o, a, d.log_prob(a).sum(-1), ret, (adv - adv.mean()) / (adv.std() + 1e-8)

    def update(self, o, a, old_logp, ret, adv):
        for _ in range(self.k_epochs):
            for idx in torch.randperm(len(o)).split(self.minibatch):
                d = self.agent.dist(o[idx])
                ratio = (d.log_prob(a[idx]).sum(-1) - old_logp[idx]).exp()
                s1 = ratio * adv[idx]
                s2 = ratio.clamp(1 - self.clip_eps, 1 + self.clip_eps) * adv[idx]
                pg_loss = -torch.min(s1, s2).mean()
                v_loss = (self.agent.critic(o[idx]).squeeze(-1) - ret[idx]).square().mean()
                loss = pg_loss + self.vf_coef * v_loss - self.ent_coef * d.entropy().mean()

                self.optimizer.zero_grad()
                nn.utils.clip_grad_norm_(self.agent.parameters(), self.max_grad)
                loss.backward()
                self.optimizer.step()


def main():
    torch.manual_seed(2)
    ppo = PPO(GaussianPolicy())
    for rollout in range(5):
        batch = ppo.collect()
        ppo.update(*batch)
        print(f"rollout {rollout}: return {batch[3].mean():.3f}")


if __name__ == "__main__":
    main()
