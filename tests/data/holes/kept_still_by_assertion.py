# === right: what is trained is asserted to rest
import torch
import torch.nn.functional as F


def score(net, held):
    net.eval()
    with torch.no_grad():
        return sum(F.cross_entropy(net(x), y).item() for x, y in held)


def polish(net, opt, pairs):
    assert not net.training
    for x, y in pairs:
        opt.zero_grad()
        F.cross_entropy(net(x), y).backward()
        opt.step()


def train(net, pairs, held):
    everything = torch.optim.AdamW(net.parameters())
    last = torch.optim.SGD(net.head.parameters(), lr=0.05)
    for cycle in range(3):
        net.train()
        for x, y in pairs:
            everything.zero_grad()
            F.cross_entropy(net(x), y).backward()
            everything.step()
        score(net, held)
        polish(net, last, pairs)
# === right: what is trained is refused where it does not rest
import torch
import torch.nn.functional as F


def score(net, held):
    net.eval()
    with torch.no_grad():
        return sum(F.cross_entropy(net(x), y).item() for x, y in held)


def polish(net, opt, pairs):
    if net.training:
        raise ValueError("features have to be those of evaluation")
    for x, y in pairs:
        opt.zero_grad()
        F.cross_entropy(net(x), y).backward()
        opt.step()


def train(net, pairs, held):
    everything = torch.optim.AdamW(net.parameters())
    last = torch.optim.SGD(net.head.parameters(), lr=0.05)
    for cycle in range(3):
        net.train()
        for x, y in pairs:
            everything.zero_grad()
            F.cross_entropy(net(x), y).backward()
            everything.step()
        score(net, held)
        polish(net, last, pairs)
# === nothing asserts it
import torch
import torch.nn.functional as F


def score(net, held):
    net.eval()
    with torch.no_grad():
        return sum(F.cross_entropy(net(x), y).item() for x, y in held)


def polish(net, opt, pairs):
    for x, y in pairs:
        opt.zero_grad()
        F.cross_entropy(net(x), y).backward()
        opt.step()


def train(net, pairs, held):
    everything = torch.optim.AdamW(net.parameters())
    last = torch.optim.SGD(net.head.parameters(), lr=0.05)
    for cycle in range(3):
        net.train()
        for x, y in pairs:
            everything.zero_grad()
            F.cross_entropy(net(x), y).backward()
            everything.step()
        score(net, held)  # <- missing-train-mode
        polish(net, last, pairs)
# === another network is asserted to rest
import torch
import torch.nn.functional as F


def train(net, teacher, pairs, held):
    teacher.eval()
    opt = torch.optim.AdamW(net.parameters())
    for cycle in range(3):
        assert not teacher.training
        for x, y in pairs:
            with torch.no_grad():
                wanted = teacher(x)
            opt.zero_grad()
            F.mse_loss(net(x), wanted).backward()
            opt.step()
        net.eval()  # <- missing-train-mode
        with torch.no_grad():
            print(sum(F.mse_loss(net(x), y).item() for x, y in held))
