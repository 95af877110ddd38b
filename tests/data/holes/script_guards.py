# === a helper clears for each micro-batch, and the script stands under its guard
import torch


def backprop(loss, optimizer, weight=1.0, reset=True):
    if reset:
        optimizer.zero_grad(set_to_none=True)  # <- zero-grad-in-accumulation
    (loss * weight).backward()
    return loss.item()


def fit(net, optimizer, updates, micro):
    for _ in range(updates):
        for k in range(micro):
            backprop(net(torch.randn(32, 2)).mean(), optimizer, weight=1 / micro)
        optimizer.step()


if __name__ == "__main__":
    net = torch.nn.Linear(2, 2)
    fit(net, torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9), updates=20, micro=4)
# === the same, told which of them begins a window
import torch


def backprop(loss, optimizer, weight=1.0, reset=True):
    if reset:
        optimizer.zero_grad(set_to_none=True)
    (loss * weight).backward()
    return loss.item()


def fit(net, optimizer, updates, micro):
    for _ in range(updates):
        for k in range(micro):
            backprop(net(torch.randn(32, 2)).mean(), optimizer, weight=1 / micro, reset=k == 0)
        optimizer.step()


if __name__ == "__main__":
    net = torch.nn.Linear(2, 2)
    fit(net, torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9), updates=20, micro=4)
