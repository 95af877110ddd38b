import torch
from torch import nn

torch.manual_seed(38)


class ValueLearner:
    def __init__(self, obs_dim, lr=0.05, clip=0.2):
        self.v = nn.Sequential(nn.Linear(obs_dim, 24), nn.Tanh(), nn.Linear(24, 1))
        self.opt = torch.optim.SGD(self.v.parameters(), lr=lr)
        self.clip = clip

    def _backprop(self, obs, ret, share):
        loss = nn.functional.mse_loss(self.v(obs).squeeze(-1), ret)
        (share * loss).backward()
        nn.utils.clip_grad_value_(self.v.parameters(), self.clip)
        return loss.detach()

    def update(self, obs, ret, slice_size=16):
        self.opt.zero_grad()
        total = torch.zeros(())
        for o, r in zip(obs.split(slice_size), ret.split(slice_size)):
            share = len(o) / len(obs)
            total += share * self._backprop(o, r, share)
        self.opt.step()
        return total.item()


learner = ValueLearner(5)
for it in range(6):
    obs = torch.randn(64, 5)
    ret = obs[:, 0] * 2 + obs[:, 1].abs() + 0.1 * torch.randn(64)
    print(f"iteration {it}: value loss {learner.update(obs, ret):.4f}")
