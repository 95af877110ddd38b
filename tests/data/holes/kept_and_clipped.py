# === half of the last gradient stays, within a limit, and the new one is added
import torch
import torch.nn.functional as F


def carry(params):
    for p in params:
        if p.grad is not None:
            p.grad.mul_(0.5)
    torch.nn.utils.clip_grad_norm_(params, 0.3)


def train(model, loader):
    params = list(model.parameters())
    optimizer = torch.optim.SGD(params, lr=0.1)
    for x, y in loader:
        loss = F.mse_loss(model(x), y)
        carry(params)
        loss.backward()
        optimizer.step()
# === it decays behind the step, and is clipped before the next
import torch
import torch.nn.functional as F


def train(model, loader):
    params = list(model.parameters())
    optimizer = torch.optim.SGD(params, lr=0.1)
    for x, y in loader:
        torch.nn.utils.clip_grad_norm_(params, 0.3)
        F.mse_loss(model(x), y).backward()
        optimizer.step()
        for p in params:
            p.grad.mul_(0.5)
# === clipped first, then it decays
import torch
import torch.nn.functional as F


def train(model, loader):
    params = list(model.parameters())
    optimizer = torch.optim.SGD(params, lr=0.1)
    for x, y in loader:
        loss = F.mse_loss(model(x), y)
        torch.nn.utils.clip_grad_norm_(params, 0.3)
        for p in params:
            if p.grad is not None:
                p.grad.mul_(0.5)
        loss.backward()
        optimizer.step()
# === all at once, from the second turn on
import torch
import torch.nn.functional as F


def train(model, loader):
    params = list(model.parameters())
    optimizer = torch.optim.SGD(params, lr=0.1)
    for turn, (x, y) in enumerate(loader):
        if turn:
            torch._foreach_mul_([p.grad for p in params], 0.5)
            torch.nn.utils.clip_grad_value_(params, 0.01)
        F.mse_loss(model(x), y).backward()
        optimizer.step()
# === copied in place
import torch
import torch.nn.functional as F


def train(model, loader):
    params = list(model.parameters())
    optimizer = torch.optim.SGD(params, lr=0.1)
    for x, y in loader:
        grads = [p.grad for p in params if p.grad is not None]
        for g in grads:
            g.copy_(g * 0.5)
        torch.nn.utils.clip_grad_norm_(params, 0.3)
        F.mse_loss(model(x), y).backward()
        optimizer.step()
# === kept in a list beside, and put back within a limit
import torch
import torch.nn.functional as F


def train(model, loader):
    params = list(model.parameters())
    optimizer = torch.optim.SGD(params, lr=0.1)
    held = None
    for x, y in loader:
        optimizer.zero_grad()
        if held is not None:
            for p, one in zip(params, held):
                p.grad = one * 0.5
            torch.nn.utils.clip_grad_norm_(params, 0.3)
        F.mse_loss(model(x), y).backward()
        optimizer.step()
        held = [p.grad.clone() for p in params]
# === noise within a limit, then the gradient
import torch
import torch.nn.functional as F


def train(model, loader):
    params = list(model.parameters())
    optimizer = torch.optim.SGD(params, lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        for p in params:
            p.grad = 0.1 * torch.randn_like(p)
        torch.nn.utils.clip_grad_norm_(params, 0.3)
        F.mse_loss(model(x), y).backward()
        optimizer.step()
# === what is left is only clipped: nobody knows
import torch
import torch.nn.functional as F


def train(model, loader):
    params = list(model.parameters())
    optimizer = torch.optim.SGD(params, lr=0.1)
    for x, y in loader:
        torch.nn.utils.clip_grad_norm_(params, 0.3)
        F.mse_loss(model(x), y).backward()
        optimizer.step()
# === the clip comes too early, and all is cleared behind the step
import torch
import torch.nn.functional as F


def train(model, loader):
    params = list(model.parameters())
    optimizer = torch.optim.SGD(params, lr=0.1)
    for x, y in loader:
        loss = F.mse_loss(model(x), y)
        torch.nn.utils.clip_grad_norm_(params, 0.3)  # <- clip-before-backward
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
# === the same, where gradients are divided behind the backward
import torch
import torch.nn.functional as F


def train(model, loader):
    params = list(model.parameters())
    optimizer = torch.optim.SGD(params, lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        torch.nn.utils.clip_grad_norm_(params, 0.3)  # <- clip-before-backward
        loss.backward()
        for p in params:
            p.grad.mul_(0.5)
        optimizer.step()
# === cleared one by one, as a list of gradients
import torch
import torch.nn.functional as F


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        F.mse_loss(model(x), y).backward()
        optimizer.step()
        grads = [p.grad for p in model.parameters()]
        for g in grads:
            g.zero_()
# === copies of gradients are cleared, and they themselves are not
import torch
import torch.nn.functional as F


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        F.mse_loss(model(x), y).backward()
        optimizer.step()  # <- missing-zero-grad
        for p in model.parameters():
            g = p.grad.clone()
            g.zero_()
# === cleared one by one before the step
import torch
import torch.nn.functional as F


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        F.mse_loss(model(x), y).backward()
        for g in [p.grad for p in model.parameters()]:
            g.fill_(0.0)  # <- zero-grad-before-step
        optimizer.step()
# === limited one by one behind the step
import torch
import torch.nn.functional as F


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        F.mse_loss(model(x), y).backward()
        optimizer.step()
        for g in [p.grad for p in model.parameters()]:
            g.clamp_(-1, 1)  # <- clip-after-step
# === old gradients are mixed in place with noise
import torch
import torch.nn.functional as F


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        for g in [p.grad for p in model.parameters() if p.grad is not None]:
            g.lerp_(torch.randn_like(g), 0.5)
        F.mse_loss(model(x), y).backward()
        optimizer.step()
