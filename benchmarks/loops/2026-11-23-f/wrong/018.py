import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main(epochs=2, grad_accum=4):
    ds = TensorDataset(torch.randn(128, 8), torch.randint(0, 4, (128,)))
    loader = DataLoader(ds, batch_size=8, shuffle=True)
    net = nn.Sequential(nn.Linear(8, 24), nn.ReLU(), nn.Linear(24, 4))
    optim = torch.optim.AdamW(net.parameters(), lr=1e-3)
    total_updates = epochs * len(loader) // grad_accum
    sched = torch.optim.lr_scheduler.LinearLR(optim, 1.0, 0.0, total_iters=total_updates)
    for epoch in range(epochs):
        for i, (x, y) in enumerate(loader):
            loss = nn.functional.cross_entropy(net(x), y) / grad_accum
            loss.backward()
            if (i + 1) % grad_accum == 0:
                optim.step()
                optim.zero_grad()
            sched.step()
        print(epoch, loss.item() * grad_accum, sched.get_last_lr())


if __name__ == "__main__":
    main()
