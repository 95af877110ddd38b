import io
import torch
from torch import nn

torch.manual_seed(0)
X, Y = torch.randn(100, 6), torch.randn(100, 1)


def build():
    net = nn.Sequential(nn.Linear(6, 18), nn.BatchNorm1d(18), nn.ReLU(), nn.Linear(18, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    return net, opt, torch.optim.lr_scheduler.StepLR(opt, 2, 0.5)


def train(net, opt, sched, start, stop):
    for epoch in range(start, stop):
        net.train()
        for idx in torch.randperm(80).split(20):
            loss = nn.functional.mse_loss(net(X[idx]), Y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
        sched.step()
        net.eval()
        with torch.no_grad():
            val = nn.functional.mse_loss(net(X[80:]), Y[80:]).item()
        print(epoch, val, sched.get_last_lr())
        if val < 0.2:
            break


parts = build()
train(*parts, 0, 3)
blob = io.BytesIO()
torch.save([p.state_dict() for p in parts], blob)
blob.seek(0)
fresh = build()
for part, state in zip(fresh, torch.load(blob)):
    part.load_state_dict(state)
train(*fresh, 3, 6)
