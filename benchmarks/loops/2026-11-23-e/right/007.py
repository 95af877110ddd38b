"""Second-order MAML on sine regression."""
import torch
from torch import nn
from torch.func import functional_call


def task(k=10):
    amp, phase = torch.rand(1) * 4 + 1, torch.rand(1) * 3.14
    x = torch.rand(2 * k, 1) * 10 - 5
    y = amp * torch.sin(x + phase)
    return (x[:k], y[:k]), (x[k:], y[k:])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(1, 24), nn.ReLU(), nn.Linear(24, 24), nn.ReLU(), nn.Linear(24, 1))

    def forward(self, x):
        return self.layers(x)


def adapt(model, support, inner_lr, steps):
    fast = dict(model.named_parameters())
    x, y = support
    for _ in range(steps):
        loss = nn.functional.mse_loss(functional_call(model, fast, (x,)), y)
        grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
        fast = {name: p - inner_lr * g for (name, p), g in zip(fast.items(), grads)}
    return fast


def main(meta_iters=15, tasks_per_batch=4):
    torch.manual_seed(0)
    model = Net()
    meta_opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for it in range(meta_iters):
        meta_opt.zero_grad()
        meta_loss = 0.0
        for _ in range(tasks_per_batch):
            support, (qx, qy) = task()
            fast = adapt(model, support, inner_lr=0.01, steps=2)
            meta_loss = meta_loss + nn.functional.mse_loss(functional_call(model, fast, (qx,)), qy)
        meta_loss = meta_loss / tasks_per_batch
        meta_loss.backward()
        meta_opt.step()
        if it % 5 == 0:
            print(it, meta_loss.item())


if __name__ == "__main__":
    main()
