import torch
from torch import nn

torch.manual_seed(15)
kind = "cuda" if torch.cuda.is_available() else "cpu"
half = torch.bfloat16
net = nn.Linear(9, 4).to(kind)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
scaler = torch.amp.GradScaler(kind, enabled=half is torch.float16)
for _ in range(12):
    x = torch.randn(7, 9, device=kind)
    with torch.autocast(kind, dtype=half):
        loss = nn.functional.cross_entropy(net(x), x[:, :4].argmax(1))
    opt.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
print(loss.item())
