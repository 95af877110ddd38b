import torch
import torch.nn as nn
import torch.nn.functional as F


class Stepper:
    def __init__(self, params, lr, k, total):
        self.params = list(params)
        self.optimizer = torch.optim.Adam(self.params, lr=lr)
        self.k, self.total = k, total
        self.n = 0

    def __call__(self, loss):
        """Returns True when the weights moved."""
        (loss / self.k).backward()
        self.n += 1
        if self.n % self.k and self.n != self.total:
            return False
        nn.utils.clip_grad_norm_(self.params, 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad()
        return True


def spans(n, length=16):
    for i in range(n):
        t = torch.arange(length).float() + 10 * torch.rand(6, 1)
        wave = torch.sin(0.4 * t)
        yield wave[:, :-1].unsqueeze(-1), wave[:, 1:]


class Forecaster(nn.Module):
    def __init__(self, h=16):
        super().__init__()
        self.cell, self.read = nn.LSTM(1, h, batch_first=True), nn.Linear(h, 1)

    def forward(self, x):
        return self.read(self.cell(x)[0]).squeeze(-1)


def main(epochs=2, per_epoch=13, k=4):
    torch.manual_seed(0)
    net = Forecaster()
    total = epochs * per_epoch
    stepper = Stepper(net.parameters(), lr=1e-2, k=k, total=total)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(stepper.optimizer, T_max=-(-total // k))
    net.train()
    for epoch in range(epochs):
        for x, y in spans(per_epoch):
            loss = F.mse_loss(net(x), y)
            moved = stepper(loss)
            if moved:
                sched.step()
        print(f"epoch {epoch} mse {loss.item():.4f} lr {sched.get_last_lr()[0]:.5f}")


main()
