"""Multi-task head training with AMP: classification and an auxiliary rotation task."""
import torch
import torch.nn as nn
import torch.nn.functional as F

device = "cuda" if torch.cuda.is_available() else "cpu"


class MultiTask(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Flatten(), nn.Linear(64, 48), nn.ReLU())
        self.cls_head = nn.Linear(48, 5)
        self.rot_head = nn.Linear(48, 4)

    def forward(self, x, task):
        h = self.trunk(x)
        return self.cls_head(h) if task == "cls" else self.rot_head(h)


def rotate(batch):
    k = torch.randint(0, 4, (batch.size(0),))
    return torch.stack([torch.rot90(img, int(n), (0, 1)) for img, n in zip(batch, k)]), k


def main():
    torch.manual_seed(0)
    model = MultiTask().to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    scaler = torch.amp.GradScaler(device, init_scale=1024.0)

    for step in range(25):
        x = torch.randn(16, 8, 8)
        y = (x.mean((1, 2)) * 10).long().clamp(-2, 2) + 2
        xr, yr = rotate(x)

        optimizer.zero_grad()
        with torch.autocast(device_type=device, dtype=torch.float16):
            cls_loss = F.cross_entropy(model(x.to(device), "cls"), y.to(device))
        scaler.scale(cls_loss).backward()

        with torch.autocast(device_type=device, dtype=torch.float16):
            rot_loss = F.cross_entropy(model(xr.to(device), "rot"), yr.to(device))
        rot_loss.backward()

        scaler.step(optimizer)
        scaler.update()
        if step % 5 == 0:
            print(f"{step}: cls {cls_loss.item():.3f} rot {rot_loss.item():.3f}")


main()
