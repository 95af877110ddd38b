import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm.auto import tqdm


def train(net, loader, optimizer, epochs, virtual):
    per_step = virtual // loader.batch_size
    for epoch in range(epochs):
        bar = tqdm(loader, disable=True)
        for i, (x, y) in enumerate(bar):
            loss = nn.functional.cross_entropy(net(x), y) / per_step
            loss.backward()
            if (i + 1) % per_step == 0:
                optimizer.step()
            optimizer.zero_grad()
            bar.set_description(f"{loss.item() * per_step:.3f}")
        print(epoch, loss.item() * per_step)


if __name__ == "__main__":
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(96, 5), torch.randint(0, 3, (96,)))
    net = nn.Sequential(nn.Linear(5, 15), nn.ReLU(), nn.Linear(15, 3))
    train(net, DataLoader(data, batch_size=8, shuffle=True), torch.optim.AdamW(net.parameters(), lr=2e-3), 2, virtual=32)
