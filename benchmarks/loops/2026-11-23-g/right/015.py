import contextlib
import functools

import torch
import torch.nn as nn


@contextlib.contextmanager
def evaluating(module):
    """Eval mode inside, whatever mode it was in afterwards."""
    was_training = module.training
    module.eval()
    try:
        yield module
    finally:
        module.train(was_training)


def without_gradients(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        with torch.inference_mode():
            return fn(*args, **kwargs)

    return wrapper


@without_gradients
def score(module, x, y):
    with evaluating(module) as m:
        return (m(x).argmax(1) == y).float().mean().item()


def stream(n):
    for _ in range(n):
        y = torch.randint(0, 3, (16,))
        yield torch.randn(16, 10) + torch.nn.functional.one_hot(y, 10) * 3.0, y


def main():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(10, 24), nn.BatchNorm1d(24), nn.ReLU(), nn.Dropout(0.3), nn.Linear(24, 3))
    opt = torch.optim.RAdam(model.parameters(), lr=1e-2)
    held_x, held_y = next(stream(1))
    best, since_best = 0.0, 0
    model.train()
    for step, (x, y) in enumerate(stream(30)):
        opt.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        opt.step()
        if step % 6 == 5:
            acc = score(model, held_x, held_y)
            print(f"step {step + 1} acc {acc:.3f}")
            best, since_best = (acc, 0) if acc > best else (best, since_best + 1)
            if since_best == 3:
                break


if __name__ == "__main__":
    main()
