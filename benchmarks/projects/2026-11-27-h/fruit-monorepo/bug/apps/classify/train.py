import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "libs"))

import torch
from torch import nn
from trainkit import Window, finish_step

from fruit import fruit_loader


def main(epochs=3, accum=4, max_norm=1.0):
    torch.manual_seed(4)
    loader = fruit_loader()
    model = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**12)
    window = Window(accum)
    optimizer.zero_grad(set_to_none=True)
    for epoch in range(epochs):
        seen = 0.0
        for i, (x, y) in enumerate(loader):
            with torch.autocast("cpu", dtype=torch.float16):
                loss = nn.functional.cross_entropy(model(x), y)
            scaler.scale(window.weigh(loss)).backward()
            seen += loss.item()
            if window.complete(i):
                finish_step(scaler, optimizer, model.parameters(), max_norm)
        print(f"epoch {epoch} loss {seen / len(loader):.4f}")


if __name__ == "__main__":
    main()
