import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR, ReduceLROnPlateau
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(155)
ds = TensorDataset(torch.randn(110, 5), torch.randn(110, 1))
tr, va = random_split(ds, [80, 30])
train_loader, val_loader = DataLoader(tr, 10, shuffle=True), DataLoader(va, 30)
net = nn.Sequential(nn.Linear(5, 30), nn.ReLU(), nn.Linear(30, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
WARM = 8
warmup = LambdaLR(opt, lambda t: min(1.0, (t + 1) / WARM))
plateau = ReduceLROnPlateau(opt, factor=0.3, patience=0)


@torch.inference_mode()
def val_loss():
    net.eval()
    return sum(nn.functional.mse_loss(net(x), y, reduction="sum").item() for x, y in val_loader) / len(va)


batches_done = 0
for epoch in range(5):
    net.train()
    for x, y in train_loader:
        opt.zero_grad()
        loss = nn.functional.mse_loss(net(x), y)
        loss.backward()
        opt.step()
        batches_done += 1
        if batches_done < WARM:
            warmup.step()
    v = val_loss()
    if batches_done >= WARM:
        plateau.step(v)
    print(epoch, round(v, 4), opt.param_groups[0]["lr"])
