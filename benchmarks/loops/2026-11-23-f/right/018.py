import torch
from torch import nn
from torch.optim import lr_scheduler
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(1)
    x = torch.randn(96, 5)
    train = DataLoader(TensorDataset(x[:64], x[:64].sum(1, keepdim=True)), batch_size=16, shuffle=True)
    xv, yv = x[64:], x[64:].sum(1, keepdim=True)
    net = nn.Sequential(nn.Linear(5, 10), nn.ReLU(), nn.Linear(10, 1))
    opt = torch.optim.Adam(net.parameters(), lr=1e-2)
    warm = lr_scheduler.LinearLR(opt, start_factor=0.1, total_iters=6)
    plateau = lr_scheduler.ReduceLROnPlateau(opt, patience=0, factor=0.5)
    seen = 0
    for epoch in range(6):
        net.train()
        for xb, yb in train:
            loss = nn.functional.mse_loss(net(xb), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            seen += 1
            if seen <= 6:
                warm.step()
        net.eval()
        with torch.no_grad():
            val = nn.functional.mse_loss(net(xv), yv).item()
        if seen > 6:
            plateau.step(val)
        print(epoch, val, opt.param_groups[0]["lr"])


if __name__ == "__main__":
    main()
