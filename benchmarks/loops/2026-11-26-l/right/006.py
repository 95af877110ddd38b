import torch
import torch.nn as nn

torch.manual_seed(0)
net = nn.Sequential(nn.Embedding(50, 12), nn.Flatten(), nn.Linear(12 * 6, 50))
for p in net.parameters():
    p.register_hook(lambda g: g.clamp(-0.05, 0.05))
opt = torch.optim.SGD(net.parameters(), lr=0.5)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=4)
text = torch.randint(0, 50, (400,))
ctx = text.unfold(0, 7, 1)

for epoch in range(4):
    losses = []
    for chunk in ctx[torch.randperm(len(ctx))].split(64):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(chunk[:, :6]), chunk[:, 6])
        loss.backward()
        opt.step()
        losses.append(float(loss))
    sched.step()
    print(epoch, sum(losses) / len(losses), sched.get_last_lr())
