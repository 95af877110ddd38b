import torch
from torch import nn, optim

torch.manual_seed(7)
encoder = nn.Sequential(nn.Linear(12, 16), nn.ReLU())
head = nn.Linear(16, 3)
opt_enc = optim.SGD(encoder.parameters(), lr=0.01)
opt_head = optim.SGD(head.parameters(), lr=0.1)
scaler = torch.GradScaler("cpu")

x_all = torch.randn(60, 12)
y_all = torch.randint(0, 3, (60,))
for epoch in range(3):
    for k in range(0, 60, 12):
        x, y = x_all[k:k + 12], y_all[k:k + 12]
        opt_enc.zero_grad()
        opt_head.zero_grad()
        loss = nn.functional.cross_entropy(head(encoder(x)), y)
        scaler.scale(loss).backward()
        scaler.unscale_(opt_head)
        nn.utils.clip_grad_norm_(head.parameters(), 1.0)
        nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
        scaler.step(opt_enc)
        scaler.step(opt_head)
        scaler.update()
    print(epoch, round(loss.item(), 4))
