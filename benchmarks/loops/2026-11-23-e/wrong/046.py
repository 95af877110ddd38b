import torch
from torch import nn
import torch.nn.functional as F


class Wide(nn.Module):
    """Memory hungry model: the batch is split into chunks for the backward."""

    def __init__(self, d=12, width=128, classes=4):
        super().__init__()
        self.up = nn.Linear(d, width)
        self.mid = nn.Linear(width, width)
        self.down = nn.Linear(width, classes)

    def forward(self, x):
        return self.down(torch.tanh(self.mid(torch.tanh(self.up(x)))))


def split_step(model, optimizer, images, labels, n_chunks):
    """One update on a batch that does not fit into memory at once."""
    optimizer.zero_grad()
    total = 0.0
    for img, lab in zip(images.chunk(n_chunks), labels.chunk(n_chunks)):
        loss = F.cross_entropy(model(img), lab)
        loss.backward()
        total += loss.item() / n_chunks
    gn = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return total, float(gn)


def main():
    torch.manual_seed(0)
    x = torch.randn(640, 12)
    y = (x[:, 0] > 0).long() * 2 + (x[:, 1] > 0).long()
    model = Wide()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    for epoch in range(3):
        model.train()
        for sel in torch.randperm(640).view(5, 128):
            loss, gn = split_step(model, optimizer, x[sel], y[sel], n_chunks=4)
        model.eval()
        with torch.no_grad():
            acc = (model(x).argmax(-1) == y).float().mean().item()
        print(f"epoch {epoch} loss {loss:.3f} |g| {gn:.2f} acc {acc:.3f}")


if __name__ == "__main__":
    main()
