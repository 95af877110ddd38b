import torch
from torch import nn


def owned(optimizer):
    for group in optimizer.param_groups:
        yield from group["params"]


class ContinualLearner:
    def __init__(self, model: nn.Module, lr=0.03, anchor=0.1):
        trainable = (p for p in model.parameters() if p.requires_grad)
        self.model = model
        self.optimizer = torch.optim.SGD(trainable, lr=lr)
        self.anchor = anchor
        self.reference = None

    def penalty(self):
        if self.reference is None:
            return 0.0
        return sum((p - r).pow(2).sum() for p, r in zip(owned(self.optimizer), self.reference))

    def observe(self, x, y):
        self.model.train()
        for p in owned(self.optimizer):
            p.grad = None
        loss = nn.functional.cross_entropy(self.model(x), y) + self.anchor * self.penalty()
        loss.backward()
        nn.utils.clip_grad_norm_(owned(self.optimizer), 2.0)
        self.optimizer.step()
        return loss.item()

    def end_of_task(self):
        self.reference = [p.detach().clone() for p in owned(self.optimizer)]


def run(model, tasks, passes=3):
    learner = ContinualLearner(model)
    for number, task in enumerate(tasks):
        for _ in range(passes):
            losses = [learner.observe(x, y) for x, y in task]
        learner.end_of_task()
        print(f"task {number}: {sum(losses) / len(losses):.4f}")
