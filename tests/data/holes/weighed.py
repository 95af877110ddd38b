# === losses in a dictionary go through a network, and one optimizer is never cleared
import torch
from torch.nn.functional import l1_loss, mse_loss


def fit(trunk, weigh, loader):
    opt = torch.optim.SGD(trunk.parameters(), lr=0.1)
    weigh_opt = torch.optim.SGD(weigh.parameters(), lr=0.1)
    for x, near, far in loader:
        outs = trunk(x)
        losses = {"near": mse_loss(outs["near"], near), "far": l1_loss(outs["far"], far)}
        loss = sum(weigh(losses).values())
        weigh_opt.zero_grad()
        loss.backward()
        opt.step()  # <- missing-zero-grad
        weigh_opt.step()

# === right: losses in a dictionary go through a network, and both are cleared
import torch
from torch.nn.functional import l1_loss, mse_loss


def fit(trunk, weigh, loader):
    opt = torch.optim.SGD(trunk.parameters(), lr=0.1)
    weigh_opt = torch.optim.SGD(weigh.parameters(), lr=0.1)
    for x, near, far in loader:
        outs = trunk(x)
        losses = {"near": mse_loss(outs["near"], near), "far": l1_loss(outs["far"], far)}
        loss = sum(weigh(losses).values())
        opt.zero_grad()
        weigh_opt.zero_grad()
        loss.backward()
        opt.step()
        weigh_opt.step()

# === losses in a list go through a network, and the trunk sleeps from the first test on
import torch
from torch.nn.functional import mse_loss


def test(trunk, held):
    trunk.eval()
    with torch.no_grad():
        return sum(mse_loss(trunk(x), y).item() for x, y in held)


def fit(trunk, weigh, loader, held):
    opt = torch.optim.SGD([*trunk.parameters(), *weigh.parameters()], lr=0.1)
    trunk.train()
    for epoch in range(4):
        for x, y in loader:
            out = trunk(x)
            loss = weigh([mse_loss(out, y), out.square().mean()])
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(epoch, test(trunk, held))  # <- missing-train-mode

# === right: losses in a list go through a network, and the trunk is woken in each epoch
import torch
from torch.nn.functional import mse_loss


def test(trunk, held):
    trunk.eval()
    with torch.no_grad():
        return sum(mse_loss(trunk(x), y).item() for x, y in held)


def fit(trunk, weigh, loader, held):
    opt = torch.optim.SGD([*trunk.parameters(), *weigh.parameters()], lr=0.1)
    for epoch in range(4):
        trunk.train()
        for x, y in loader:
            out = trunk(x)
            loss = weigh([mse_loss(out, y), out.square().mean()])
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(epoch, test(trunk, held))

# === features in a list go through a head, and both are clipped while scaled
import torch
from torch import nn


def fit(trunk, head, loader):
    opt = torch.optim.SGD(trunk.parameters(), lr=0.1)
    head_opt = torch.optim.SGD(head.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler()
    for x, y in loader:
        feats = [trunk(x)]
        loss = nn.functional.mse_loss(head(feats), y)
        opt.zero_grad()
        head_opt.zero_grad()
        scaler.scale(loss).backward()
        nn.utils.clip_grad_norm_([*trunk.parameters(), *head.parameters()], 1.0)  # <- clip-scaled-gradients
        scaler.step(opt)
        scaler.step(head_opt)
        scaler.update()

# === right: features of a frozen trunk in a list go through a head
import torch
from torch import nn


def fit(trunk, head, loader):
    opt = torch.optim.SGD(trunk.parameters(), lr=0.1)
    head_opt = torch.optim.SGD(head.parameters(), lr=0.1)
    for x, y in loader:
        opt.zero_grad()
        nn.functional.mse_loss(trunk(x), y).backward()
        opt.step()
        with torch.no_grad():
            feats = [trunk(x)]
        head_opt.zero_grad()
        nn.functional.mse_loss(head(feats), y).backward()
        head_opt.step()
