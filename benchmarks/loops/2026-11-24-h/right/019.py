import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class DynamicLossScaler:
    def __init__(self, start=2.0**14, factor=2.0, interval=50):
        self.loss_scale, self.factor, self.interval = start, factor, interval
        self._since = 0

    def scale(self, loss):
        return loss * self.loss_scale

    @torch.no_grad()
    def unscale_(self, optimizer):
        grads = [p.grad for g in optimizer.param_groups for p in g["params"] if p.grad is not None]
        for g in grads:
            g.mul_(1.0 / self.loss_scale)
        return all(bool(torch.isfinite(g).all()) for g in grads)

    def update(self, overflow):
        if overflow:
            self.loss_scale, self._since = max(1.0, self.loss_scale / self.factor), 0
            return
        self._since += 1
        if self._since == self.interval:
            self.loss_scale, self._since = self.loss_scale * self.factor, 0


def main():
    torch.manual_seed(0)
    dev = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(160, 11)
    y = torch.randint(0, 2, (160,)).float()
    loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
    net = nn.Sequential(nn.Linear(11, 32), nn.ReLU(), nn.Linear(32, 1)).to(dev)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    scaler = DynamicLossScaler()
    bce = nn.BCEWithLogitsLoss()
    skipped = 0
    for epoch in range(3):
        net.train()
        for xb, yb in loader:
            with torch.autocast(dev, dtype=torch.float16):
                out = net(xb.to(dev)).squeeze(1)
            loss = bce(out.float(), yb.to(dev))
            scaler.scale(loss).backward()
            finite = scaler.unscale_(optimizer)
            if finite:
                nn.utils.clip_grad_norm_(net.parameters(), 2.0)
                optimizer.step()
            else:
                skipped += 1
            scaler.update(not finite)
            optimizer.zero_grad()
        print(f"epoch {epoch} loss {loss.item():.4f} scale {scaler.loss_scale:.0f} skipped {skipped}")


if __name__ == "__main__":
    main()
