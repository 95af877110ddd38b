import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical


class PPOAgent:
    def __init__(self, obs_dim, n_actions, hidden=128, lr=3e-4, clip=0.2, max_grad_norm=0.5):
        self.nets = nn.ModuleDict(
            {
                "actor": nn.Sequential(nn.Linear(obs_dim, hidden), nn.Tanh(), nn.Linear(hidden, n_actions)),
                "critic": nn.Sequential(nn.Linear(obs_dim, hidden), nn.Tanh(), nn.Linear(hidden, 1)),
            }
        )
        self.optims = {
            "actor": torch.optim.Adam(self.nets["actor"].parameters(), lr=lr, eps=1e-5),
            "critic": torch.optim.Adam(self.nets["critic"].parameters(), lr=3 * lr, eps=1e-5),
        }
        self.clip = clip
        self.max_grad_norm = max_grad_norm

    def losses(self, mb):
        dist = Categorical(logits=self.nets["actor"](mb["obs"]))
        ratio = (dist.log_prob(mb["act"]) - mb["logp"]).exp()
        clipped = ratio.clamp(1 - self.clip, 1 + self.clip) * mb["adv"]
        pi_loss = -torch.min(ratio * mb["adv"], clipped).mean() - 0.01 * dist.entropy().mean()
        v_loss = F.mse_loss(self.nets["critic"](mb["obs"]).squeeze(-1), mb["ret"])
        kl = (mb["logp"] - dist.log_prob(mb["act"])).mean().item()
        return {"actor": pi_loss, "critic": v_loss}, kl

    def update(self, buffer, epochs=10, target_kl=0.02):
        history = {"actor": [], "critic": []}
        for _ in range(epochs):
            for mb in buffer.minibatches():
                losses, kl = self.losses(mb)
                if kl > 1.5 * target_kl:
                    return history
                for opt in self.optims.values():
                    opt.zero_grad()
                for loss in losses.values():
                    loss.backward()
                for opt in self.optims.values():
                    opt.step()
                for name, net in self.nets.items():
                    norm = nn.utils.clip_grad_norm_(net.parameters(), self.max_grad_norm)
                    history[name].append(norm.item())
        return history
