import torch
from torch import nn

from sequences import copy_task

torch.manual_seed(1)
rnn = nn.GRU(10, 128, batch_first=True)
readout = nn.Linear(128, 8)
parameters = [*rnn.parameters(), *readout.parameters()]
for p in parameters:
    p.register_hook(lambda g: g.clamp(-0.1, 0.1))

optimizer = torch.optim.RMSprop(parameters, lr=1e-3, alpha=0.9)
bce = nn.BCEWithLogitsLoss()
best = float("inf")

for episode in range(1, 20_001):
    length = int(torch.randint(1, 21, ()))
    x, y = copy_task(batch=16, length=length)
    hidden, _ = rnn(x)
    loss = bce(readout(hidden[:, -length:]), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    best = min(best, loss.item())
    if episode % 250 == 0:
        bits = ((readout(hidden[:, -length:]) > 0) != (y > 0.5)).float().sum(dim=(1, 2)).mean()
        print(f"{episode:6d} loss {loss.item():.4f} best {best:.4f} wrong bits {bits.item():.1f}")
