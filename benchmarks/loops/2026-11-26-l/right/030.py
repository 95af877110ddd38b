import torch
from torch.func import functional_call

torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(1, 20), torch.nn.Tanh(), torch.nn.Linear(20, 1))
meta = torch.optim.Adam(net.parameters(), lr=3e-3)
mse = torch.nn.functional.mse_loss


def task():
    amp, phase = torch.rand(2)
    x = torch.rand(10, 1) * 4
    return x, (amp + 0.5) * torch.sin(x + 3 * phase)


for it in range(8):
    outer = []
    for _ in range(4):
        xs, ys = task()
        fast = dict(net.named_parameters())
        for _ in range(2):
            inner = mse(functional_call(net, fast, (xs[:5],)), ys[:5])
            grads = torch.autograd.grad(inner, list(fast.values()), create_graph=True)
            fast = {k: v - 0.05 * g for (k, v), g in zip(fast.items(), grads)}
        outer.append(mse(functional_call(net, fast, (xs[5:],)), ys[5:]))
    meta_loss = torch.stack(outer).mean()
    meta.zero_grad()
    meta_loss.backward()
    meta.step()
    print(it, meta_loss.item())
