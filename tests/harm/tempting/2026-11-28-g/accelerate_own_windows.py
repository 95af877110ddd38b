import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

GRAD_ACCUM = 3
accelerator = Accelerator(cpu=True)


def get_loader():
    x = torch.randn(42, 5)
    y = torch.stack([x.sum(1), x.pow(2).sum(1)], 1)
    return DataLoader(TensorDataset(x, y), batch_size=6)


def train(record):
    torch.manual_seed(55)
    net = nn.Sequential(nn.Linear(5, 12), nn.ReLU(), nn.Linear(12, 2))
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-2)
    net, optimizer, loader = accelerator.prepare(net, optimizer, get_loader())

    for epoch in range(2):
        net.train()
        seen, summed = 0, 0.0
        for step, (x, y) in enumerate(loader):
            loss = nn.functional.mse_loss(net(x), y)
            accelerator.backward(loss / GRAD_ACCUM)
            summed += loss.item() * len(x)
            seen += len(x)
            if (step + 1) % GRAD_ACCUM == 0 or step + 1 == len(loader):
                accelerator.clip_grad_norm_(net.parameters(), 3.0)
                optimizer.step()
                record(list(net.parameters()))
                optimizer.zero_grad()
        accelerator.print(epoch, summed / seen)


if __name__ == "__main__":
    train(lambda parameters: None)
