import queue
import threading

import torch
import torch.nn as nn


def producer(out, n):
    g = torch.Generator().manual_seed(0)
    for _ in range(n):
        x = torch.randn(16, 6, generator=g)
        out.put((x, x.prod(1, keepdim=True).sign()))
    out.put(None)


def apply_gradients(model, optimizer, limit):
    nn.utils.clip_grad_value_(model.parameters(), limit)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)


def main(n=21):
    torch.manual_seed(0)
    q = queue.Queue(maxsize=4)
    threading.Thread(target=producer, args=(q, n), daemon=True).start()
    model = nn.Sequential(nn.Linear(6, 32), nn.GELU(), nn.Linear(32, 1))
    optimizer = torch.optim.NAdam(model.parameters(), lr=2e-3)
    model.train()
    ready = False
    seen, loss = 0, None
    while (item := q.get()) is not None:
        if ready:
            apply_gradients(model, optimizer, 0.1)
        x, y = item
        loss = nn.functional.soft_margin_loss(model(x), y)
        loss.backward()
        ready = True
        seen += 1
        if seen % 7 == 0:
            print(f"{seen} batches, loss {loss.item():.4f}")
    if ready:
        apply_gradients(model, optimizer, 0.1)


if __name__ == "__main__":
    main()
