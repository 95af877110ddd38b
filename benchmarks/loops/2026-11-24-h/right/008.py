import torch
import torch.nn as nn
import torch.nn.functional as F


class MAML:
    def __init__(self, net, inner_lr=0.05, outer_lr=1e-3, tasks_per_update=4):
        self.net = net
        self.inner_lr = inner_lr
        self.tasks_per_update = tasks_per_update
        self.meta_opt = torch.optim.Adam(net.parameters(), lr=outer_lr)

    def adapt(self, xs, ys):
        names, tensors = zip(*self.net.named_parameters())
        inner = F.mse_loss(self.net(xs), ys)
        grads = torch.autograd.grad(inner, tensors, create_graph=True)
        return {n: t - self.inner_lr * g for n, t, g in zip(names, tensors, grads)}

    def meta_step(self, tasks):
        outer = [
            F.mse_loss(torch.func.functional_call(self.net, self.adapt(xs, ys), (xq,)), yq)
            for xs, ys, xq, yq in tasks
        ]
        meta_loss = torch.stack(outer).mean()
        for p, g in zip(self.net.parameters(), torch.autograd.grad(meta_loss, list(self.net.parameters()))):
            p.grad = g
        self.meta_opt.step()
        return meta_loss.item()


def sinusoid(k=10):
    amp, phase = torch.rand(1) * 4 + 0.1, torch.rand(1) * 3.14
    x = torch.rand(2 * k, 1) * 10 - 5
    y = amp * torch.sin(x - phase)
    return x[:k], y[:k], x[k:], y[k:]


if __name__ == "__main__":
    torch.manual_seed(0)
    maml = MAML(nn.Sequential(nn.Linear(1, 20), nn.ReLU(), nn.Linear(20, 1)))
    for it in range(30):
        l = maml.meta_step([sinusoid() for _ in range(maml.tasks_per_update)])
        if it % 10 == 9:
            print(f"meta-iter {it + 1}: {l:.3f}")
