import os
import tempfile

import torch
from torch import nn

CKPT = os.path.join(tempfile.mkdtemp(), "last.pt")
torch.manual_seed(157)
X = torch.randn(140, 6)
Y = (X[:, 0] * X[:, 1] > 0).float()


def fresh():
    net = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Dropout(0.1), nn.Linear(24, 1))
    opt = torch.optim.Adam(net.parameters(), lr=1e-2)
    return net, opt, torch.optim.lr_scheduler.StepLR(opt, step_size=2, gamma=0.5)


def run(until, patience=4):
    net, opt, sched = fresh()
    start, best, bad = 0, float("inf"), 0
    if os.path.exists(CKPT):
        ck = torch.load(CKPT, weights_only=True)
        net.load_state_dict(ck["net"])
        opt.load_state_dict(ck["opt"])
        sched.load_state_dict(ck["sched"])
        start, best, bad = ck["epoch"] + 1, ck["best"], ck["bad"]
    for epoch in range(start, until):
        net.train()
        for rows in torch.randperm(100).split(20):
            opt.zero_grad()
            nn.functional.binary_cross_entropy_with_logits(net(X[rows]).squeeze(1), Y[rows]).backward()
            opt.step()
        sched.step()
        net.eval()
        with torch.no_grad():
            val = nn.functional.binary_cross_entropy_with_logits(net(X[100:]).squeeze(1), Y[100:]).item()
        best, bad = (val, 0) if val < best else (best, bad + 1)
        state = {"net": net.state_dict(), "opt": opt.state_dict(), "sched": sched.state_dict()}
        torch.save({**state, "epoch": epoch, "best": best, "bad": bad}, CKPT)
        print(epoch, round(val, 4), sched.get_last_lr())
        if bad >= patience:
            break


run(3)
run(6)
