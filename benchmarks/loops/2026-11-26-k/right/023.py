import torch
from torch import nn
from torch.nn import functional as F


class Pretrainer:
    def __init__(self):
        self.enc = nn.Sequential(nn.Linear(30, 40), nn.ReLU(), nn.Linear(40, 10))
        self.dec = nn.Linear(10, 30)
        self.probe = nn.Linear(10, 3)
        self.opt = torch.optim.Adam([*self.enc.parameters(), *self.dec.parameters()], lr=2e-3)
        self.probe_opt = torch.optim.SGD(self.probe.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)

    def step(self, x, y):
        with torch.autocast("cpu", dtype=torch.float16):
            code = self.enc(x)
            recon = self.dec(code)
        loss = F.mse_loss(recon.float(), x)
        self.opt.zero_grad()
        self.scaler.scale(loss).backward()
        self.scaler.step(self.opt)
        self.scaler.update()

        logits = self.probe(code.detach().float())
        probe_loss = F.cross_entropy(logits, y)
        self.probe_opt.zero_grad()
        probe_loss.backward()
        nn.utils.clip_grad_norm_(self.probe.parameters(), 1.0)
        self.probe_opt.step()
        return loss.item(), probe_loss.item()


torch.manual_seed(123)
centres = torch.randn(3, 30)
trainer = Pretrainer()
for it in range(60):
    y = torch.randint(0, 3, (24,))
    stats = trainer.step(centres[y] + 0.5 * torch.randn(24, 30), y)
print(stats)
