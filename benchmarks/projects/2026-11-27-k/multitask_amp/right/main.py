import torch
from torch.nn import functional as F

from mtl.consistency import pull_together
from mtl.metrics import METRICS
from mtl.mixed import Mixed
from mtl.nets import Heads, Temperature, Trunk
from mtl.updates import clear, refresh


def scenes(n, mixing):
    x = torch.randn(n, 20)
    score = x @ mixing
    return x, score[:, :4].argmax(1), score[:, 4]


def main(steps=120):
    torch.manual_seed(12)
    mixing = torch.randn(20, 5) / 20**0.5
    trunk, heads, temperature = Trunk(), Heads(), Temperature()
    trunk_opt = torch.optim.Adam(trunk.parameters(), lr=2e-3)
    heads_opt = torch.optim.Adam(heads.parameters(), lr=2e-3)
    temp_opt = torch.optim.SGD(temperature.parameters(), lr=0.1)
    mixed = Mixed()
    held_out = scenes(256, mixing)

    for step in range(1, steps + 1):
        x, label, depth = scenes(64, mixing)
        clear(trunk_opt, heads_opt)
        with mixed.cast():
            logits, guess = heads(trunk(x))
            loss = F.cross_entropy(logits, label) + F.mse_loss(guess, depth.to(guess.dtype))
        mixed.backward(loss)
        drift = pull_together(trunk, x, mixed)
        mixed.step(trunk_opt, heads_opt)

        F.cross_entropy(temperature(logits.detach().float()), label).backward()
        refresh(temp_opt)
        if step % 40 == 0:
            trunk.eval()
            heads.eval()
            with torch.no_grad():
                report = {name: round(fn(trunk, heads, *held_out), 3) for name, fn in METRICS.items()}
            trunk.train()
            heads.train()
            print(f"{step} loss {loss.item():.4f} drift {drift:.5f} T {temperature.log_t.exp().item():.3f}", report)


if __name__ == "__main__":
    main()
