import torch
from torch import nn


class Recommender(nn.Module):
    def __init__(self, users=20, items=30, d=8):
        super().__init__()
        self.u, self.i = nn.Embedding(users, d), nn.Embedding(items, d)
        self.mlp = nn.Sequential(nn.Linear(2 * d, 16), nn.ReLU(), nn.Linear(16, 1))

    def tables(self):
        return [self.u.weight, self.i.weight]

    def forward(self, u, i):
        return self.mlp(torch.cat([self.u(u), self.i(i)], -1)).squeeze(-1)


class TwoOptimizers:
    def __init__(self, model):
        self.opts = {
            "tables": torch.optim.Adagrad(model.tables(), lr=0.1),
            "mlp": torch.optim.Adam(model.mlp.parameters(), lr=3e-3),
        }
        self.scaler = torch.amp.GradScaler("cpu", init_scale=2.0 ** 10, growth_interval=5)

    def zero(self):
        for o in self.opts.values():
            o.zero_grad()

    def apply(self, loss, clip=1.0):
        self.scaler.scale(loss).backward()
        for o in self.opts.values():
            self.scaler.unscale_(o)
            nn.utils.clip_grad_norm_([p for g in o.param_groups for p in g["params"]], clip)
        for o in self.opts.values():
            self.scaler.step(o)
        self.scaler.update()


torch.manual_seed(0)
model = Recommender()
optim = TwoOptimizers(model)
users, items = torch.randint(0, 20, (200,)), torch.randint(0, 30, (200,))
clicks = ((users + items) % 2).float()
for epoch in range(3):
    for sel in torch.randperm(200).split(40):
        optim.zero()
        with torch.autocast("cpu", dtype=torch.float16):
            score = model(users[sel], items[sel])
        loss = nn.functional.binary_cross_entropy_with_logits(score.float(), clicks[sel])
        optim.apply(loss)
    print(epoch, loss.item(), optim.scaler.get_scale())
