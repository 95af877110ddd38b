"""An update is made when the first micro-batch of the next window arrives."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def apply_update(net, optimizer, record):
    nn.utils.clip_grad_norm_(net.parameters(), 2.0)
    optimizer.step()
    record(list(net.parameters()))
    optimizer.zero_grad(set_to_none=True)


def train(record, window=4):
    torch.manual_seed(17)
    x = torch.rand(160, 2) * 4 - 2
    y = torch.sin(x[:, :1]) * x[:, 1:]
    loader = DataLoader(TensorDataset(x, y), batch_size=8, shuffle=True, generator=torch.Generator().manual_seed(0))
    net = nn.Sequential(nn.Linear(2, 20), nn.Tanh(), nn.Linear(20, 1))
    optimizer = torch.optim.NAdam(net.parameters(), lr=1e-2)
    for epoch in range(3):
        running = 0.0
        for i, (a, b) in enumerate(loader):
            if i > 0 and i % window == 0:
                apply_update(net, optimizer, record)
            loss = nn.functional.mse_loss(net(a), b)
            (loss / window).backward()
            running += loss.item()
        apply_update(net, optimizer, record)
        print(f"epoch {epoch}: {running / len(loader):.4f}")


if __name__ == "__main__":
    train(lambda parameters: None)
