from dataclasses import dataclass

import torch
from torch.cuda.amp import GradScaler, autocast

from recsys.data import InteractionStream
from recsys.model import SASRec


@dataclass
class Options:
    path: str = "ml-20m.parquet"
    dim: int = 64
    lr: float = 1e-3
    clip: float = 5.0
    steps: int = 100_000
    log_every: int = 500


def sampled_softmax(hidden, positives, negatives, table):
    pos = (hidden * table(positives)).sum(-1, keepdim=True)
    neg = torch.einsum("bld,bnd->bln", hidden, table(negatives))
    logits = torch.cat([pos, neg], -1)
    return -logits.log_softmax(-1)[..., 0].mean()


def main(o: Options):
    model = SASRec(dim=o.dim).cuda()
    optimizer = torch.optim.Adagrad(model.parameters(), lr=o.lr)
    scaler = GradScaler()
    stream = iter(InteractionStream(o.path))
    model.train()
    average = 0.0
    for step in range(1, o.steps + 1):
        history, positives, negatives = (t.cuda() for t in next(stream))
        optimizer.zero_grad()
        with autocast():
            loss = sampled_softmax(model(history), positives, negatives, model.items)
        scaler.scale(loss).backward()
        optimizer.step()
        average = 0.98 * average + 0.02 * loss.item()
        if step % o.log_every == 0:
            print(f"{step} {average:.4f}")
    torch.save(model.state_dict(), "sasrec.pt")


if __name__ == "__main__":
    main(Options())
