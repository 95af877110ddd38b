import torch
from torch import nn


class Trainer:
    def __init__(self, net, accumulate=4):
        self.net = net
        self.accumulate = accumulate
        self.opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
        self.updates = 0

    def _update(self):
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()
        self.opt.zero_grad(set_to_none=True)
        self.updates += 1

    def epoch(self, batches):
        for n, (x, y) in enumerate(batches, start=1):
            loss = nn.functional.cross_entropy(self.net(x), y)
            (loss / self.accumulate).backward()
            if n % self.accumulate == 0:
                self._update()
        if n % self.accumulate != 0:
            self._update()
        return loss.item()


torch.manual_seed(0)
batches = [(torch.randn(5, 9), torch.randint(0, 3, (5,))) for _ in range(11)]
t = Trainer(nn.Sequential(nn.Linear(9, 18), nn.ReLU(), nn.Linear(18, 3)))
for e in range(3):
    print(e, t.epoch(batches), t.updates)
