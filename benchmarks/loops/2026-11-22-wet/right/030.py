import torch
import torch.nn.functional as F

from tasks import SharedTrunk, loaders

WEIGHTS = {"ner": 1.0, "pos": 0.5, "chunking": 0.5}


class Forever:
    def __init__(self, loader):
        self.loader = loader

    def __iter__(self):
        while True:
            yield from self.loader


def main(steps=15_000):
    model = SharedTrunk(tasks=list(WEIGHTS))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    streams = {task: iter(Forever(loaders[task])) for task in WEIGHTS}
    averages = dict.fromkeys(WEIGHTS, 0.0)
    model.train()

    for step in range(steps):
        optimizer.zero_grad()
        for task, weight in WEIGHTS.items():
            tokens, tags = next(streams[task])
            logits = model(tokens, task=task)
            loss = F.cross_entropy(logits.flatten(0, 1), tags.flatten(), ignore_index=-1)
            (weight * loss).backward()
            averages[task] = 0.99 * averages[task] + 0.01 * loss.item()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % 250 == 0:
            print(step, {task: f"{value:.3f}" for task, value in averages.items()})


main()
