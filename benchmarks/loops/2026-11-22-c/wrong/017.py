import torch
from torch import nn
from torch.amp import GradScaler, autocast
from torch.utils.data import DataLoader

from tabular import CreditDataset, ResidualMLP


def train(path: str, epochs: int = 20):
    torch.manual_seed(13)
    loader = DataLoader(CreditDataset(path), batch_size=512, shuffle=True)
    net = ResidualMLP(depth=4)
    loss_fn = nn.BCEWithLogitsLoss()
    opt = torch.optim.NAdam(net.parameters(), lr=2e-3)
    scaler = GradScaler("cpu")
    for epoch in range(epochs):
        net.train()
        total, rows = 0.0, 0
        for features, default in loader:
            opt.zero_grad()
            with autocast("cpu"):
                logits = net(features).squeeze(1)
                loss = loss_fn(logits, default)
            scaler.scale(loss).backward()
            scaler.step(opt)
            scaler.update()
            total += loss.item() * len(default)
            rows += len(default)
        print(f"epoch {epoch + 1}/{epochs} - loss {total / rows:.4f}")
    return net


if __name__ == "__main__":
    torch.save(train("credit.parquet").state_dict(), "credit.pt")
