import torch
import torch.nn as nn
from torch.optim.lr_scheduler import LinearLR, ReduceLROnPlateau
from torch.utils.data import DataLoader, TensorDataset


class TextCNN(nn.Module):
    def __init__(self, vocab=64, d=12, widths=(2, 3)):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.convs = nn.ModuleList(nn.Conv1d(d, 8, w) for w in widths)
        self.fc = nn.Linear(8 * len(widths), 2)

    def forward(self, ids):
        h = self.emb(ids).transpose(1, 2)
        return self.fc(torch.cat([c(h).relu().amax(2) for c in self.convs], 1))


class Schedules:
    """Warm-up counts optimizer steps, the plateau counts validations."""

    def __init__(self, opt, warm):
        self.warmup = LinearLR(opt, 0.1, 1.0, total_iters=warm)
        self.plateau = ReduceLROnPlateau(opt, factor=0.5, patience=0)
        self.left = warm

    def on_update(self):
        if self.left:
            self.warmup.step()
            self.left -= 1

    def on_validation(self, metric):
        self.plateau.step(metric)


@torch.no_grad()
def dev_loss(net, dl, crit):
    net.eval()
    out = sum(crit(net(i), y).item() for i, y in dl) / len(dl)
    net.train()
    return out


def main(epochs=3, accumulate=2):
    torch.manual_seed(2)
    ids = torch.randint(0, 64, (200, 9))
    y = (ids < 8).any(1).long()
    tr = DataLoader(TensorDataset(ids[:160], y[:160]), 10, shuffle=True)
    dv = DataLoader(TensorDataset(ids[160:], y[160:]), 20)
    net, crit = TextCNN(), nn.CrossEntropyLoss()
    opt = torch.optim.AdamW(net.parameters(), lr=1e-2)
    sched = Schedules(opt, warm=8)
    for epoch in range(epochs):
        it = iter(tr)
        for first in it:
            for ids_b, y_b in (first, *[b for b in [next(it, None)] if b is not None]):
                (crit(net(ids_b), y_b) / accumulate).backward()
            opt.step()
            opt.zero_grad()
            sched.on_update()
        v = dev_loss(net, dv, crit)
        sched.on_validation(v)
        print(f"epoch {epoch} dev {v:.4f} lr {opt.param_groups[0]['lr']:.4f}")


if __name__ == "__main__":
    main()
