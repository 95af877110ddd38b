import copy

import torch
import torch.nn.functional as F


def adapt(model, task, inner_steps, inner_lr):
    learner = copy.deepcopy(model)
    learner.train()
    optimizer = torch.optim.Adam(learner.parameters(), lr=inner_lr, betas=(0.0, 0.999))
    for _ in range(inner_steps):
        x, y = task.sample(10)
        loss = F.cross_entropy(learner(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return learner, loss.item()


def reptile(model, tasks, *, iterations=30_000, meta_batch=5, inner_steps=8, inner_lr=1e-3, outer=1.0):
    for iteration in range(iterations):
        rate = outer * (1 - iteration / iterations)
        moves = [torch.zeros_like(p) for p in model.parameters()]
        losses = []
        for _ in range(meta_batch):
            learner, loss = adapt(model, tasks.draw(), inner_steps, inner_lr)
            losses.append(loss)
            for move, new, old in zip(moves, learner.parameters(), model.parameters()):
                move.add_(new.detach() - old.detach(), alpha=1 / meta_batch)
        with torch.no_grad():
            for p, move in zip(model.parameters(), moves):
                p.add_(move, alpha=rate)
        if iteration % 500 == 0:
            print(iteration, sum(losses) / len(losses))
    return model
