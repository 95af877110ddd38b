import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def run_epoch(net, loader, optim, scaler):
    net.train()
    tot = 0.0
    for img, lab in loader:
        optim.zero_grad(set_to_none=True)
        with torch.amp.autocast("cpu", dtype=torch.float16):
            logits = net(img)
            loss = nn.functional.cross_entropy(logits, lab)
            scaler.scale(loss).backward()
        scaler.step(optim)
        scaler.update()
        tot += loss.item() * img.size(0)
    return tot / len(loader.dataset)


def main():
    ds = TensorDataset(torch.rand(48, 1, 6, 6), torch.randint(0, 3, (48,)))
    net = nn.Sequential(nn.Flatten(), nn.Linear(36, 24), nn.ReLU(), nn.Linear(24, 3))
    optim = torch.optim.Adam(net.parameters(), lr=1e-3)
    scaler = torch.amp.GradScaler("cpu")
    for e in range(3):
        print(e, run_epoch(net, DataLoader(ds, batch_size=12, shuffle=True), optim, scaler))


if __name__ == "__main__":
    main()
