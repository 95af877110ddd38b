import torch
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

from flow.data import pairs
from flow.pyramid import Pyramid

GAMMA = 0.8


def main(steps=100_000, lr=4e-4):
    net = Pyramid(iterations=12).cuda()
    optimizer = torch.optim.AdamW(net.parameters(), lr=lr, weight_decay=1e-4, eps=1e-8)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, lr, steps + 100, pct_start=0.05, cycle_momentum=False)
    source = pairs("chairs", batch_size=10)
    net.train()
    for step in range(steps):
        first, second, truth = (t.cuda() for t in next(source))
        hidden, guess = net.start(first, second)
        loss = 0.0
        for n in range(net.iterations):
            hidden, guess = checkpoint(net.refine, hidden, guess, use_reentrant=False)
            weight = GAMMA ** (net.iterations - n - 1)
            loss = loss + weight * F.l1_loss(guess, truth)
            guess = guess.detach()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if step % 100 == 0:
            error = (guess - truth).norm(dim=1).mean()
            print(f"{step:7d} loss {loss.item():.3f} epe {error.item():.3f}")
    torch.save(net.state_dict(), "flow.pth")


if __name__ == "__main__":
    main()
