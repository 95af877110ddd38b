import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader, TensorDataset

EPOCHS, ACCUM, WARMUP = 4, 5, 4

torch.manual_seed(8)
spectra = torch.randn(180, 30)
conc = spectra[:, 3:6].sum(1, keepdim=True)
loader = DataLoader(TensorDataset(spectra, conc), batch_size=12, shuffle=True)

net = nn.Sequential(nn.Linear(30, 16), nn.ReLU(), nn.Linear(16, 1))
optim = torch.optim.AdamW(net.parameters(), lr=4e-3)
updates = EPOCHS * (len(loader) // ACCUM)


def factor(u):
    if u < WARMUP:
        return (u + 1) / WARMUP
    return max(0.0, (updates - u) / (updates - WARMUP))


sched = LambdaLR(optim, factor)
for epoch in range(EPOCHS):
    for i, (s, c) in enumerate(loader):
        loss = nn.functional.mse_loss(net(s), c) / ACCUM
        loss.backward()
        if (i + 1) % ACCUM == 0 or (i + 1) == len(loader):
            optim.step()
            optim.zero_grad()
        sched.step()
    print(epoch, loss.item() * ACCUM, sched.get_last_lr()[0])
