import torch
from torch import nn

BS, DIM, CLASSES = 32, 10, 3


class Cosine(nn.Module):
    """Cosine classifier with a learned temperature."""

    def __init__(self, dim, classes):
        super().__init__()
        self.proto = nn.Parameter(torch.randn(classes, dim))
        self.log_t = nn.Parameter(torch.zeros(()))
        self.feat = nn.Linear(dim, dim)

    def forward(self, x):
        f = nn.functional.normalize(self.feat(x), dim=-1)
        p = nn.functional.normalize(self.proto, dim=-1)
        return f @ p.t() * self.log_t.exp()


def synthetic(n):
    y = torch.randint(0, CLASSES, (n,))
    x = torch.randn(n, DIM)
    x[torch.arange(n), y] += 2.0
    return x, y


def main():
    torch.manual_seed(4)
    dev = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = Cosine(DIM, CLASSES).to(dev)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    grad_scaler = torch.amp.GradScaler(dev.type)
    x, y = synthetic(320)

    for epoch in range(3):
        perm = torch.randperm(320)
        epoch_loss = 0.0
        for start in range(0, 320, BS):
            idx = perm[start:start + BS]
            xb, yb = x[idx].to(dev), y[idx].to(dev)
            with torch.amp.autocast(dev.type, dtype=torch.float16):
                loss = nn.functional.cross_entropy(model(xb), yb)
            optimizer.zero_grad()
            grad_scaler.scale(loss).backward()
            optimizer.step()
            epoch_loss += float(loss.detach())
        print(epoch, epoch_loss / (320 / BS))

    with torch.no_grad():
        acc = (model(x.to(dev)).argmax(1) == y.to(dev)).float().mean()
    print("accuracy", acc.item())


if __name__ == "__main__":
    main()
