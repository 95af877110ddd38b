import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(2)
loader = DataLoader(TensorDataset(torch.randn(80, 6), torch.randint(0, 4, (80,))), batch_size=16)
net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 4))
opt = torch.optim.SGD(net.parameters(), lr=0.1)

curve = []
for epoch in range(3):
    running = torch.zeros(())
    correct = torch.zeros((), dtype=torch.long)
    for x, y in loader:
        logits = net(x)
        loss = nn.functional.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        loss = loss.detach()
        running += loss * len(y)
        correct += (logits.argmax(1) == y).sum()
        curve.append(loss)
    print(epoch, (running / 80).item(), correct.item() / 80)
print("last", torch.stack(curve[-5:]).mean().item())
