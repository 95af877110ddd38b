import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

GRAD_ACCUM = 4


def build_loader():
    torch.manual_seed(9)
    x = torch.randn(200, 12)
    y = (x[:, 0] * x[:, 1] > 0).long()
    return DataLoader(TensorDataset(x, y), batch_size=10, shuffle=True)


def main():
    accelerator = Accelerator(cpu=True)
    model = nn.Sequential(nn.Linear(12, 40), nn.ReLU(), nn.Linear(40, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model, optimizer, loader = accelerator.prepare(model, optimizer, build_loader())
    criterion = nn.CrossEntropyLoss()
    for epoch in range(3):
        model.train()
        epoch_loss = 0.0
        for step, (x, y) in enumerate(loader, start=1):
            loss = criterion(model(x), y)
            accelerator.backward(loss)
            epoch_loss += loss.detach().item()
            if step % GRAD_ACCUM == 0 or step == len(loader):
                optimizer.step()
                optimizer.zero_grad()
        accelerator.print(f"{epoch}: {epoch_loss / len(loader):.4f}")


main()
