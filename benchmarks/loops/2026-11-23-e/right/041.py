import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Meter:
    def __init__(self):
        self.total, self.n = 0.0, 0

    def update(self, value, k=1):
        self.total += value * k
        self.n += k

    @property
    def avg(self):
        return self.total / max(1, self.n)


class BetaVAE(nn.Module):
    def __init__(self, d=12, z=3, beta=0.5):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, 24), nn.ReLU(), nn.Linear(24, 2 * z))
        self.dec = nn.Sequential(nn.Linear(z, 24), nn.ReLU(), nn.Linear(24, d))
        self.beta = beta

    def forward(self, x):
        mu, lv = self.enc(x).chunk(2, 1)
        z = mu + (0.5 * lv).exp() * torch.randn_like(mu) if self.training else mu
        rec = (self.dec(z) - x).pow(2).sum(1).mean()
        kld = 0.5 * (mu.pow(2) + lv.exp() - 1 - lv).sum(1).mean()
        return rec + self.beta * kld, rec.detach(), kld.detach()


def epoch(model, loader, optimizer=None):
    training = optimizer is not None
    model.train(training)
    rec_meter, kld_sum, curve = Meter(), torch.zeros(()), []
    with torch.set_grad_enabled(training):
        for (x,) in loader:
            loss, rec, kld = model(x)
            if training:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            rec_meter.update(rec, len(x))
            kld_sum += kld
            curve.append(loss.detach())
    return rec_meter.avg, kld_sum / len(loader), torch.stack(curve)


if __name__ == "__main__":
    torch.manual_seed(0)
    basis = torch.randn(3, 12)
    data = torch.randn(240, 3) @ basis + 0.05 * torch.randn(240, 12)
    train_dl = DataLoader(TensorDataset(data[:192]), batch_size=24, shuffle=True)
    val_dl = DataLoader(TensorDataset(data[192:]), batch_size=24)
    model = BetaVAE()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    for e in range(3):
        r, k, curve = epoch(model, train_dl, opt)
        vr, vk, _ = epoch(model, val_dl)
        print(f"{e} train {r:.3f}/{k:.3f} val {vr:.3f}/{vk:.3f} last {curve[-1]:.3f}")
