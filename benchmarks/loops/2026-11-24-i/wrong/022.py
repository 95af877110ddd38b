import torch
from torch import nn

torch.manual_seed(53)
gpu = torch.cuda.is_available()
net = nn.Bilinear(4, 4, 2)
net = net.cuda() if gpu else net
opt = torch.optim.NAdam(net.parameters(), lr=1e-3)
amp = torch.amp.GradScaler("cuda" if gpu else "cpu", init_scale=256.0)

for i in range(18):
    a, b = torch.randn(2, 10, 4, device="cuda" if gpu else "cpu")
    want = (a * b).sum(1, keepdim=True).repeat(1, 2)
    opt.zero_grad()
    with torch.autocast("cuda", enabled=gpu):
        loss = nn.functional.huber_loss(net(a, b), want)
    amp.scale(loss).backward()
    opt.step()
print(loss.item())
