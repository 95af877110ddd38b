import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
critic_opt_cfg = dict(lr=2e-3)


class SAC:
    def __init__(self, obs=3, act=1, hidden=24):
        mlp = lambda i, o: nn.Sequential(nn.Linear(i, hidden), nn.ReLU(), nn.Linear(hidden, o))
        self.actor, self.critic, self.target = mlp(obs, act), mlp(obs + act, 1), mlp(obs + act, 1)
        self.target.load_state_dict(self.critic.state_dict())
        self.pi_opt = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.q_opt = torch.optim.Adam(self.critic.parameters(), **critic_opt_cfg)

    def update(self, s, a, r, s2, gamma=0.9, polyak=0.99):
        with torch.no_grad():
            y = r + gamma * self.target(torch.cat([s2, self.actor(s2).tanh()], 1))
        q_loss = F.mse_loss(self.critic(torch.cat([s, a], 1)), y)
        pi_loss = -self.critic(torch.cat([s, self.actor(s).tanh()], 1)).mean()

        self.pi_opt.zero_grad()
        pi_loss.backward()
        self.q_opt.zero_grad()
        self.pi_opt.step()
        q_loss.backward()
        self.q_opt.step()

        with torch.no_grad():
            for t, c in zip(self.target.parameters(), self.critic.parameters()):
                t.mul_(polyak).add_((1 - polyak) * c)
        return q_loss.item(), pi_loss.item()


agent = SAC()
for it in range(40):
    s, a = torch.randn(32, 3), torch.rand(32, 1) * 2 - 1
    r = -(a - s[:, :1]).abs()
    ql, pl = agent.update(s, a, r, s + 0.1 * torch.randn_like(s))
    if it % 10 == 9:
        print(f"{it + 1}: q {ql:.3f} pi {pl:.3f}")
