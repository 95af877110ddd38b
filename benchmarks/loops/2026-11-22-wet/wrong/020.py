import itertools
import random

import torch


def shuffled_forever(samples, batch_size):
    while True:
        random.shuffle(samples)
        for i in range(0, len(samples) - batch_size + 1, batch_size):
            chunk = samples[i : i + batch_size]
            yield torch.stack([s[0] for s in chunk]), torch.tensor([s[1] for s in chunk])


def optimise(model, samples, *, micro_batch=16, micro_batches=3, updates=1000):
    opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    objective = torch.nn.MultiMarginLoss()
    stream = shuffled_forever(samples, micro_batch)
    model.train()
    for update in range(updates):
        total = 0.0
        for features, labels in itertools.islice(stream, micro_batches):
            model.zero_grad()
            loss = objective(model(features), labels) / micro_batches
            loss.backward()
            total += loss.item()
        opt.step()
        if update % 50 == 0:
            print(update, total)
    return model
