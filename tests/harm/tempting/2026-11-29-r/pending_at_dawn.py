"""The feed is drawn by hand; where it runs dry, what is pending is applied."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

WINDOW, EPOCHS = 4, 6


def train(record):
    torch.manual_seed(250)
    x = torch.randn(60, 4)
    data = TensorDataset(x, (x[:, :1].abs() - x[:, 1:2]).clamp(-2, 2))
    loader = DataLoader(data, batch_size=6, shuffle=True)  # ten batches: two windows and a half
    net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.8, weight_decay=1e-3)

    def update():
        optimizer.step()
        record(list(net.parameters()))
        optimizer.zero_grad(set_to_none=False)

    for _ in range(EPOCHS):
        feed, pending = iter(loader), 0
        while True:
            try:
                inputs, targets = next(feed)
            except StopIteration:
                if pending:
                    update()
                break
            (nn.functional.mse_loss(net(inputs), targets) / WINDOW).backward()
            pending += 1
            if pending == WINDOW:
                update()
                pending = 0

if __name__ == "__main__":
    train(lambda parameters: None)
