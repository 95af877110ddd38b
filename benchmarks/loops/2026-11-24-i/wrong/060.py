import torch
from torch import nn


class Callback:
    def on_step(self, n, loss):
        if n % 5 == 0:
            print(n, loss)


class Loop:
    def __init__(self, net, device, callbacks):
        self.net, self.device, self.callbacks = net.to(device), device, callbacks
        self.opt = torch.optim.Adam(net.parameters(), lr=1e-3)
        self.scaler = torch.amp.GradScaler(device)

    def run(self, n):
        for i in range(n):
            x = torch.randn(12, 6, device=self.device)
            self.opt.zero_grad()
            with torch.autocast(self.device, dtype=torch.float16, enabled=self.device == "cuda"):
                loss = nn.functional.mse_loss(self.net(x), x)
            self.scaler.scale(loss).backward()
            penalty = 1e-3 * sum(p.square().sum() for p in self.net.parameters())
            penalty.backward()
            self.scaler.unscale_(self.opt)
            nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
            self.scaler.step(self.opt)
            self.scaler.update()
            for c in self.callbacks:
                c.on_step(i, loss.item())


torch.manual_seed(251)
Loop(nn.Linear(6, 6), "cuda" if torch.cuda.is_available() else "cpu", [Callback()]).run(15)
