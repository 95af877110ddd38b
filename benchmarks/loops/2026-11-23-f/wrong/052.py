import torch
from torch import nn


def optimize(net, optimizer, loss):
    nn.utils.clip_grad_norm_(net.parameters(), 0.5)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()


def main():
    torch.manual_seed(1)
    net = nn.Sequential(nn.Linear(2, 20), nn.Softplus(), nn.Linear(20, 1))
    optimizer = torch.optim.Adadelta(net.parameters(), lr=1.0)
    for it in range(30):
        angle = torch.rand(32) * 6.28
        radius = torch.rand(32) + 0.5
        x = torch.stack([radius * angle.cos(), radius * angle.sin()], 1)
        y = (radius > 1).float()
        loss = nn.functional.binary_cross_entropy_with_logits(net(x).squeeze(1), y)
        optimize(net, optimizer, loss)
        if it % 10 == 0:
            print(it, loss.item())


if __name__ == "__main__":
    main()
