import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


class FineTune:
    def __init__(self, model, lr):
        params = model.named_parameters()
        decay, no_decay = [], []
        for name, p in params:
            (no_decay if name.endswith("bias") else decay).append(p)
        self.model = model
        weights = iter(decay)
        self.optim = torch.optim.AdamW(
            [{"params": weights, "weight_decay": 0.05}, {"params": no_decay, "weight_decay": 0.0}], lr=lr
        )

    def clip(self, limit):
        return clip_grad_norm_([p for g in self.optim.param_groups for p in g["params"]], limit)

    def step(self, x, y):
        self.optim.zero_grad()
        loss = nn.functional.huber_loss(self.model(x), y)
        loss.backward()
        norm = self.clip(0.5)
        self.optim.step()
        return loss.item(), norm.item()


torch.manual_seed(115)
tuner = FineTune(nn.Sequential(nn.Linear(6, 18), nn.LayerNorm(18), nn.GELU(), nn.Linear(18, 1)), 3e-3)
for it in range(30):
    x = torch.randn(24, 6)
    res = tuner.step(x, x.sum(1, keepdim=True).cos())
print(res)
