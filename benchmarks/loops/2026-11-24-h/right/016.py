import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Contrastive(nn.Module):
    def __init__(self):
        super().__init__()
        self.img = nn.Sequential(nn.Linear(24, 32), nn.ReLU(), nn.Linear(32, 12))
        self.txt = nn.Sequential(nn.Linear(18, 32), nn.ReLU(), nn.Linear(32, 12))
        self.logit_scale = nn.Parameter(torch.tensor(2.3))

    def forward(self, i, t):
        return self.img(i), self.txt(t)


def clip_loss(a, b, scale):
    a, b = nn.functional.normalize(a, dim=1), nn.functional.normalize(b, dim=1)
    sim = scale.exp() * a @ b.T
    gold = torch.arange(len(a), device=a.device)
    return (nn.functional.cross_entropy(sim, gold) + nn.functional.cross_entropy(sim.T, gold)) / 2


def main():
    torch.manual_seed(0)
    z = torch.randn(96, 6)
    ds = TensorDataset(z @ torch.randn(6, 24), z @ torch.randn(6, 18))
    loader = DataLoader(ds, batch_size=16, shuffle=True)
    model = Contrastive().to(DEVICE)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    scaler = torch.amp.GradScaler(DEVICE.type)
    for epoch in range(3):
        model.train()
        tracked = []
        for img, txt in loader:
            img, txt = img.to(DEVICE), txt.to(DEVICE)
            opt.zero_grad(set_to_none=True)
            with torch.autocast(DEVICE.type, dtype=torch.float16):
                a, b = model(img, txt)
            with torch.autocast(DEVICE.type, enabled=False):
                # similarity and softmax in full precision
                loss = clip_loss(a.float(), b.float(), model.logit_scale)
                scaler.scale(loss).backward()
            scaler.step(opt)
            scaler.update()
            tracked.append(loss.item())
        print(f"epoch {epoch} {sum(tracked) / len(tracked):.4f}")


if __name__ == "__main__":
    main()
