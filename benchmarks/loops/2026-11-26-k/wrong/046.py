import torch
from torch import nn
from torch.func import functional_call


def task():
    amp, phase = torch.rand(1) * 4 + 1, torch.rand(1) * 3
    x = torch.rand(20, 1) * 10 - 5
    return x, amp * torch.sin(x + phase)


def adapt(net, x, y, lr=0.01):
    params = dict(net.named_parameters())
    loss = nn.functional.mse_loss(functional_call(net, params, x), y)
    grads = torch.autograd.grad(loss, params.values(), create_graph=True)
    return {k: p - lr * g for (k, p), g in zip(params.items(), grads)}


def main(iterations=30, tasks_per_batch=4):
    torch.manual_seed(37)
    net = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 1))
    meta_opt = torch.optim.SGD(net.parameters(), lr=0.01)
    for it in range(iterations):
        meta_loss = 0.0
        for _ in range(tasks_per_batch):
            x, y = task()
            fast = adapt(net, x[:10], y[:10])
            meta_loss = meta_loss + nn.functional.mse_loss(functional_call(net, fast, x[10:]), y[10:])
        meta_loss = meta_loss / tasks_per_batch
        meta_opt.zero_grad()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        meta_loss.backward()
        meta_opt.step()
        if it % 10 == 0:
            print(it, meta_loss.item())


main()
