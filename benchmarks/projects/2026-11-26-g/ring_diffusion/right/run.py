import torch

from rings.build import build
from rings.callbacks import Average, StopEarly
from rings.loop import Loop
from rings.points import ring_loader


def main():
    torch.manual_seed(21)
    parts = build(width=48, rate=4e-3, frozen=("clock",))
    average = Average(parts.net, keep=0.9)
    loop = Loop(parts, accum=4, limit=0.3, callbacks=[average, StopEarly(patience=2)])
    loop.fit(ring_loader(160, 16), epochs=4)
    drift = sum((a - b).abs().sum().item() for a, b in zip(average.copy.parameters(), parts.net.parameters()))
    print(f"updates {loop.updates} drift {drift:.3f}")


if __name__ == "__main__":
    main()
