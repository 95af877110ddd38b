import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Fp16Loop:
    def __init__(self, net, lr, window):
        self.net, self.window = net, window
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=2048.0)
        self.unscaled = False

    def ensure_unscaled(self):
        if not self.unscaled:
            self.scaler.unscale_(self.opt)
            self.unscaled = True

    def log_norm(self):
        self.ensure_unscaled()
        return torch.stack([p.grad.norm() for p in self.net.parameters()]).norm().item()

    def finish(self):
        self.ensure_unscaled()
        nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
        self.scaler.step(self.opt)
        self.scaler.update()
        self.opt.zero_grad()
        self.unscaled = False

    def run(self, loader):
        norms = []
        for k, (x, y) in enumerate(loader, 1):
            with torch.autocast("cpu", dtype=torch.float16):
                z = self.net(x)
            loss = nn.functional.mse_loss(z.float(), y)
            self.scaler.scale(loss / self.window).backward()
            if k % self.window == 0 or k == len(loader):
                norms.append(self.log_norm())
                self.finish()
        return norms


torch.manual_seed(121)
ds = TensorDataset(torch.randn(54, 9), torch.randn(54, 2))
loop = Fp16Loop(nn.Sequential(nn.Linear(9, 18), nn.ReLU(), nn.Linear(18, 2)), 1e-3, 3)
for epoch in range(2):
    print(epoch, [round(n, 3) for n in loop.run(DataLoader(ds, batch_size=6, shuffle=True))])
