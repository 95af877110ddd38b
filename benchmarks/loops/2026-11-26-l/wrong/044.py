import torch
import torch.nn.functional as F
from types import SimpleNamespace


class Finetuner:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg.seed)
        self.model = torch.nn.Sequential(torch.nn.Linear(10, 20), torch.nn.ReLU(), torch.nn.Linear(20, 4))
        self.opt = torch.optim.SGD(self.model.parameters(), lr=cfg.lr)

    def training_loss(self, batch):
        x, y = batch
        return F.cross_entropy(self.model(x), y) / self.cfg.accum

    def average_gradients(self):
        for p in self.model.parameters():
            if p.grad is not None:
                p.grad.div_(self.cfg.accum)

    def run(self, batches):
        for i, batch in enumerate(batches, 1):
            self.training_loss(batch).backward()
            if i % self.cfg.accum == 0:
                self.average_gradients()
                self.opt.step()
                self.opt.zero_grad()
                print(i // self.cfg.accum, self.model[0].weight.norm().item())


cfg = SimpleNamespace(seed=3, lr=0.5, accum=5)
ft = Finetuner(cfg)
ft.run([(torch.randn(6, 10), torch.randint(0, 4, (6,))) for _ in range(20)])
