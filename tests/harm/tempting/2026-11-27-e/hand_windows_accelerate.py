import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def build_loader(rows, size):
    x = torch.randn(rows, 4)
    y = (x[:, :1] - x[:, 1:2]).abs()
    return DataLoader(TensorDataset(x, y), batch_size=size)


def train(record):
    torch.manual_seed(83)
    settings = {"accum": 4, "epochs": 2, "lr": 0.05, "max_norm": 1.0}
    accelerator = Accelerator(cpu=True)
    loader = build_loader(48, 4)
    net = nn.Sequential(nn.Linear(4, 12), nn.ReLU(), nn.Linear(12, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=settings["lr"], momentum=0.9)
    net, optimizer, loader = accelerator.prepare(net, optimizer, loader)
    accum = settings["accum"]
    for epoch in range(settings["epochs"]):
        net.train()
        total = torch.zeros(())
        for n, (x, y) in enumerate(loader, 1):
            loss = nn.functional.mse_loss(net(x), y)
            total += loss.detach()
            accelerator.backward(loss / accum)
            if n % accum == 0 or n == len(loader):
                accelerator.clip_grad_norm_(net.parameters(), settings["max_norm"])
                optimizer.step()
                optimizer.zero_grad()
                record(list(net.parameters()))
        accelerator.print(f"epoch {epoch} mean loss {(total / len(loader)).item():.4f}")


if __name__ == "__main__":
    train(lambda parameters: None)
