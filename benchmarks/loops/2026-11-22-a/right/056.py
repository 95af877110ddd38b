import random

import numpy as np
import torch
import torch.nn.functional as F
from torch import optim
from torch.func import functional_call

from fewshot.omniglot import TaskSampler
from fewshot.convnet import Conv4


class MAML:
    def __init__(self, ways=5, inner_lr=0.4, inner_steps=1, meta_lr=1e-3, device="cuda"):
        self.model = Conv4(ways).to(device)
        self.inner_lr, self.inner_steps = inner_lr, inner_steps
        self.meta_optim = optim.Adam(self.model.parameters(), lr=meta_lr)
        self.device = device

    def adapt(self, support_x, support_y, create_graph=True):
        fast = dict(self.model.named_parameters())
        for _ in range(self.inner_steps):
            loss = F.cross_entropy(functional_call(self.model, fast, (support_x,)), support_y)
            grads = torch.autograd.grad(loss, list(fast.values()), create_graph=create_graph)
            fast = {name: p - self.inner_lr * g for (name, p), g in zip(fast.items(), grads)}
        return fast

    def meta_step(self, tasks):
        self.model.train()
        self.meta_optim.zero_grad()
        query_losses, hits = [], []
        for task in tasks:
            sx, sy, qx, qy = (t.to(self.device) for t in task)
            fast = self.adapt(sx, sy)
            logits = functional_call(self.model, fast, (qx,))
            loss = F.cross_entropy(logits, qy)
            (loss / len(tasks)).backward()
            query_losses.append(loss.item())
            hits.append((logits.argmax(1) == qy).float().mean().item())
        self.meta_optim.step()
        return np.mean(query_losses), np.mean(hits)


def main(iterations=60_000, meta_batch=32):
    random.seed(222)
    np.random.seed(222)
    torch.manual_seed(222)
    sampler = TaskSampler("omniglot", ways=5, shots=1, queries=15)
    maml = MAML()
    for iteration in range(iterations):
        loss, acc = maml.meta_step([sampler.sample() for _ in range(meta_batch)])
        if iteration % 100 == 0:
            print(f"{iteration} query loss {loss:.4f} acc {acc:.4f}")


if __name__ == "__main__":
    main()
