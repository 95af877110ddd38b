import torch
from torch import nn

torch.manual_seed(0)


class TCN(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv1d(2, 12, 3, padding=2, dilation=2)
        self.c2 = nn.Conv1d(12, 1, 3, padding=1)

    def forward(self, x):
        return self.c2(torch.relu(self.c1(x)))


tcn = TCN()
opt = torch.optim.RMSprop(tcn.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler("cpu", init_scale=2.0**12)
signals = [torch.randn(6, 2, 40) for _ in range(8)]
for epoch in range(3):
    epoch_loss = 0.0
    for s in signals:
        opt.zero_grad()
        loss = nn.functional.mse_loss(tcn(s), s.mean(1, keepdim=True))
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(tcn.parameters(), 1.0)
        opt.step()
        scaler.update()
        epoch_loss += loss.item()
    print(epoch, epoch_loss / len(signals))
