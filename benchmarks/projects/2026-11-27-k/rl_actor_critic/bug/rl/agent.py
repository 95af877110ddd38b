import torch
import torch.nn as nn
import torch.nn.functional as F

from rl.guard import GradGuard


class ActorCritic(nn.Module):
    def __init__(self, n_obs, n_act, hidden=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_obs, hidden), nn.Tanh())
        self.pi = nn.Linear(hidden, n_act)
        self.v = nn.Linear(hidden, 1)

    def forward(self, obs):
        h = self.trunk(obs)
        return self.pi(h), self.v(h).squeeze(-1)


class A2C:
    def __init__(self, net, lr=1e-2, max_grad_norm=0.5, beta=0.01):
        self.net = net
        self.optimizer = torch.optim.RMSprop(net.parameters(), lr=lr)
        self.guard = GradGuard(max_grad_norm)
        self.beta = beta

    def learn(self, episode):
        logits, values = self.net(episode.obs)
        dist = torch.distributions.Categorical(logits=logits)
        adv = episode.ret - values
        policy_loss = -(dist.log_prob(episode.action) * adv.detach()).mean()
        value_loss = F.smooth_l1_loss(values, episode.ret)
        loss = policy_loss + 0.5 * value_loss - self.beta * dist.entropy().mean()
        self.optimizer.zero_grad()
        self.guard.apply(self.net)
        loss.backward()
        self.optimizer.step()
        return loss
