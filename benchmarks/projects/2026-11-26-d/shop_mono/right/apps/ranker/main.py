import torch
from loopkit import Limiter, Window

from features import ClickLog
from scorer import Scorer


def epoch(scorer, chunks, limiter, window):
    scorer.train()
    total, tail = 0.0, False
    for n, (x, best) in enumerate(chunks, start=1):
        loss = torch.nn.functional.cross_entropy(scorer(x), best)
        limiter.push(window.share(loss))
        total += float(loss.detach())
        tail = not window.complete(n)
        if not tail:
            limiter.apply()
    if tail:
        limiter.apply()
    return total / len(chunks)


def main():
    torch.manual_seed(8)
    scorer = Scorer()
    limiter = Limiter(torch.optim.Adam(scorer.parameters(), lr=1e-2), max_norm=0.1)
    chunks = ClickLog(queries=144).chunks(16)
    for e in range(3):
        print(f"epoch {e}: {epoch(scorer, chunks, limiter, Window(4)):.4f} ({limiter.updates} updates)")


if __name__ == "__main__":
    main()
