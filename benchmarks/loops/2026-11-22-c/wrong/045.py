import functools
import time

import torch
import torch.nn.functional as F
from accelerate import Accelerator

from rerank import pairs, Reranker

accelerator = Accelerator()
WINDOW = 2
EVERY = 100


def timed(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        start = time.perf_counter()
        result = fn(*args, **kwargs)
        wrapper.seconds += time.perf_counter() - start
        return result

    wrapper.seconds = 0.0
    return wrapper


@timed
def micro_step(model, features, relevance):
    for p in model.parameters():
        p.grad = None
    loss = F.mse_loss(model(features).squeeze(-1), relevance)
    accelerator.backward(loss / WINDOW)
    return loss.detach()


def main(rounds=1000):
    model = Reranker()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    model, optimizer, loader = accelerator.prepare(model, optimizer, pairs(batch_size=16))
    model.train()
    stream = iter(loader)
    for number in range(1, rounds + 1):
        losses = []
        while len(losses) < WINDOW:
            batch = next(stream, None)
            if batch is None:
                stream = iter(loader)
                continue
            losses.append(micro_step(model, *batch))
        optimizer.step()
        if number % EVERY == 0:
            accelerator.print(number, torch.stack(losses).mean().item(), f"{micro_step.seconds:.1f}s")


if __name__ == "__main__":
    main()
