# === a context that nobody enters switches nothing
import torch
import torch.nn.functional as F


def fit(net, optimizer, train, held_out, epochs):
    for _ in range(epochs):
        net.train()
        for x, y in train:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
        net.eval()
        torch.no_grad()
        right = 0
        for x, y in held_out:
            right += (net(x).argmax(-1) == y).sum().item()  # <- validation-without-no-grad
        print(right)


# === the same in the loop over the data
import torch
import torch.nn.functional as F


def fit(net, optimizer, train, held_out, epochs):
    for _ in range(epochs):
        net.train()
        for x, y in train:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
        net.eval()
        right = 0
        for x, y in held_out:
            torch.no_grad()
            right += (net(x).argmax(-1) == y).sum().item()  # <- validation-without-no-grad
        print(right)


# === the same under its other name
import torch
import torch.nn.functional as F


def fit(net, optimizer, train, held_out, epochs):
    for _ in range(epochs):
        net.train()
        for x, y in train:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
        net.eval()
        torch.inference_mode()
        right = 0
        for x, y in held_out:
            right += (net(x).argmax(-1) == y).sum().item()  # <- validation-without-no-grad
        print(right)


# === right: this one switches as it is made
import torch
import torch.nn.functional as F


def fit(net, optimizer, train, held_out, epochs):
    for _ in range(epochs):
        net.train()
        for x, y in train:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
        net.eval()
        torch.set_grad_enabled(False)
        right = 0
        for x, y in held_out:
            right += (net(x).argmax(-1) == y).sum().item()
        torch.set_grad_enabled(True)
        print(right)


# === right: the context is entered by hand
import torch
import torch.nn.functional as F


def fit(net, optimizer, train, held_out, epochs):
    for _ in range(epochs):
        net.train()
        for x, y in train:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
        net.eval()
        torch.no_grad().__enter__()
        right = 0
        for x, y in held_out:
            right += (net(x).argmax(-1) == y).sum().item()
        torch.set_grad_enabled(True)
        print(right)


# === right: the context has a name, and is entered by it
import torch
import torch.nn.functional as F


def fit(net, optimizer, train, held_out, epochs):
    for _ in range(epochs):
        net.train()
        for x, y in train:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
        net.eval()
        quiet = torch.no_grad()
        right = 0
        for x, y in held_out:
            quiet.__enter__()
            right += (net(x).argmax(-1) == y).sum().item()
        quiet.__exit__(None, None, None)
        print(right)


# === right: nobody sees what the function does that is called so
import torch
import torch.nn.functional as F


def fit(net, optimizer, train, held_out, epochs):
    for _ in range(epochs):
        net.train()
        for x, y in train:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
        net.eval()
        no_grad()
        right = 0
        for x, y in held_out:
            right += (net(x).argmax(-1) == y).sum().item()
        print(right)


# === right: nobody sees whose it is
import torch
import torch.nn.functional as F


def fit(net, optimizer, train, held_out, epochs):
    for _ in range(epochs):
        net.train()
        for x, y in train:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
        net.eval()
        net.no_grad()
        right = 0
        for x, y in held_out:
            right += (net(x).argmax(-1) == y).sum().item()
        print(right)
