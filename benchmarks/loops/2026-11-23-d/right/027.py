import torch
from torch import nn

MICRO = 4
share = torch.tensor(1.0 / MICRO)
net = nn.Sequential(nn.Linear(11, 22), nn.ReLU(), nn.Linear(22, 3))
sgd = torch.optim.SGD(net.parameters(), lr=0.1)


def micro_batches():
    for _ in range(MICRO):
        x = torch.randn(8, 11)
        yield x, x[:, :3].argmax(1)


for update in range(15):
    for x, y in micro_batches():
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward(gradient=share)
    sgd.step()
    sgd.zero_grad()
    if update % 5 == 0:
        print(f"update {update}: {loss.item():.4f}")
