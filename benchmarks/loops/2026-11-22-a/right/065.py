import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from physics.data import Collocation
from physics.residual import burgers


class Callbacks:
    def __init__(self):
        self.before_batch, self.after_epoch = [], []

    def fire(self, stage):
        for callback in getattr(self, stage):
            callback()


def main(epochs=5000, lr=1e-3, use_schedule=True):
    net = nn.Sequential(nn.Linear(2, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 1)).double()
    loader = DataLoader(Collocation("burgers.npz"), batch_size=2048, shuffle=True)
    optimizer = torch.optim.Adam(net.parameters(), lr=lr)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.999)
    callbacks = Callbacks()
    callbacks.before_batch.append(optimizer.zero_grad)
    if use_schedule:
        callbacks.after_epoch.append(scheduler.step)
    apply = optimizer.step
    net.train()
    for epoch in range(epochs):
        for interior, boundary, value in loader:
            callbacks.fire("before_batch")
            interior.requires_grad_(True)
            residual = burgers(net, interior)
            loss = residual.square().mean() + (net(boundary) - value).square().mean()
            loss.backward()
            apply()
        callbacks.fire("after_epoch")
        if epoch % 100 == 0:
            print(epoch, loss.item(), optimizer.param_groups[0]["lr"])
    torch.save(net.state_dict(), "pinn.pt")


if __name__ == "__main__":
    main()
