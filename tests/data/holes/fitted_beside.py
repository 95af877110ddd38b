# === outputs for a temperature that is fitted
import torch
import torch.nn.functional as F


def outputs(net, loader):
    net.eval()
    for x, y in loader:
        yield net(x), y  # <- validation-without-no-grad


def main(net, loader, held_out):
    optimizer = torch.optim.Adam(net.parameters())
    heat = torch.ones(1, requires_grad=True)
    fitter = torch.optim.SGD([heat], lr=0.1)
    for epoch in range(3):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
        for z, y in outputs(net, held_out):
            fitter.zero_grad()
            F.cross_entropy(z.detach() / heat, y).backward()
            fitter.step()
# === right: outputs without gradients for a temperature that is fitted
import torch
import torch.nn.functional as F


def outputs(net, loader):
    net.eval()
    for x, y in loader:
        with torch.no_grad():
            z = net(x)
        yield z, y


def main(net, loader, held_out):
    optimizer = torch.optim.Adam(net.parameters())
    heat = torch.ones(1, requires_grad=True)
    fitter = torch.optim.SGD([heat], lr=0.1)
    for epoch in range(3):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
        for z, y in outputs(net, held_out):
            fitter.zero_grad()
            F.cross_entropy(z.detach() / heat, y).backward()
            fitter.step()
# === right: what is added to the inputs is fitted through the network
import torch
import torch.nn.functional as F


def main(net, loader, held_out):
    optimizer = torch.optim.Adam(net.parameters())
    prompt = torch.zeros(1, 8, requires_grad=True)
    fitter = torch.optim.SGD([prompt], lr=0.1)
    for epoch in range(3):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
        net.eval()
        for x, y in held_out:
            fitter.zero_grad()
            F.cross_entropy(net(x + prompt), y).backward()
            fitter.step()
# === right: what no optimizer is given is asked for its gradient, nobody sees how
import torch
import torch.nn.functional as F


def main(net, loader, held_out, probe):
    optimizer = torch.optim.Adam(net.parameters())
    tilt = torch.zeros(1, 8, requires_grad=True)
    for epoch in range(3):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
        net.eval()
        for x, y in held_out:
            probe.sees(net(x + tilt), tilt)
