import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(4)
accelerator = Accelerator(cpu=True, gradient_accumulation_steps=2)
net = nn.Sequential(nn.Linear(7, 14), nn.SiLU(), nn.Linear(14, 3))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
ds = TensorDataset(torch.randn(40, 7), torch.randint(0, 3, (40,)))
loader = DataLoader(ds, batch_size=5, shuffle=True)
net, optimizer, loader = accelerator.prepare(net, optimizer, loader)

for epoch in range(2):
    net.train()
    for feats, label in loader:
        with accelerator.accumulate(net):
            loss = nn.functional.cross_entropy(net(feats), label)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
    accelerator.print(f"epoch {epoch} loss {loss.item():.3f}")
