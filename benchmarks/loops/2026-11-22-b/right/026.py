import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call


class ConvNet(nn.Module):
    def __init__(self, ways: int, width: int = 64):
        super().__init__()
        blocks, inp = [], 1
        for _ in range(4):
            blocks += [nn.Conv2d(inp, width, 3, padding=1), nn.GroupNorm(8, width), nn.ReLU(), nn.MaxPool2d(2)]
            inp = width
        self.body = nn.Sequential(*blocks, nn.Flatten())
        self.head = nn.Linear(width, ways)

    def forward(self, x):
        return self.head(self.body(x))


def adapt(model, x, y, steps, lr):
    params = dict(model.named_parameters())
    for _ in range(steps):
        loss = F.cross_entropy(functional_call(model, params, (x,)), y)
        grads = torch.autograd.grad(loss, list(params.values()), create_graph=True)
        params = {k: p - lr * g for (k, p), g in zip(params.items(), grads)}
    return params


class MetaLearner:
    def __init__(self, model, meta_lr=1e-3, inner_lr=0.4, inner_steps=1):
        self.model = model
        self.inner_lr, self.inner_steps = inner_lr, inner_steps
        self.meta_optimizer = torch.optim.Adam(model.parameters(), lr=meta_lr)

    def outer_loss(self, tasks):
        losses, hits = [], []
        for support_x, support_y, query_x, query_y in tasks:
            fast = adapt(self.model, support_x, support_y, self.inner_steps, self.inner_lr)
            logits = functional_call(self.model, fast, (query_x,))
            losses.append(F.cross_entropy(logits, query_y))
            hits.append((logits.argmax(1) == query_y).float().mean().item())
        return torch.stack(losses).mean(), sum(hits) / len(hits)

    def step(self, tasks):
        loss, accuracy = self.outer_loss(tasks)
        self.meta_optimizer.zero_grad()
        loss.backward()
        self.meta_optimizer.step()
        return loss.item(), accuracy


def main(sampler, iterations=60_000, ways=5):
    learner = MetaLearner(ConvNet(ways))
    learner.model.train()
    for it in range(iterations):
        loss, accuracy = learner.step(sampler.batch(32))
        if it % 100 == 0:
            print(it, f"{loss:.4f}", f"{accuracy:.3f}")
