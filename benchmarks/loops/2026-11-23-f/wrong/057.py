import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(net, loader, accum=3, epochs=2):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    updates = epochs * -(-len(loader) // accum)
    sched = torch.optim.lr_scheduler.PolynomialLR(opt, total_iters=updates)
    for epoch in range(epochs):
        for i, (x, y) in enumerate(loader):
            loss = nn.functional.mse_loss(net(x), y)
            (loss / accum).backward()
            if (i + 1) % accum == 0 or i + 1 == len(loader):
                sched.step()
                opt.step()
                opt.zero_grad()
        print(epoch, loss.item(), sched.get_last_lr()[0])


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(80, 3)
    data = TensorDataset(x, x.mean(1, keepdim=True))
    train(nn.Linear(3, 1), DataLoader(data, batch_size=8, shuffle=True))
