from contextlib import nullcontext

import torch
from accelerate.utils import set_seed

from summ import *


def main():
    cfg = RunConfig()
    set_seed(cfg.seed)
    accelerator = build_accelerator(cfg)
    train_loader, valid_loader = build_loaders(cfg)
    model = Summarizer(cfg.vocab, cfg.width)
    optimizer = build_optimizer(model, cfg)
    model, optimizer, train_loader, valid_loader = accelerator.prepare(model, optimizer, train_loader, valid_loader)
    tracker = Tracker()

    for epoch in range(cfg.epochs):
        model.train()
        tracker.reset()
        optimizer.zero_grad()
        for step, batch in enumerate(train_loader, start=1):
            boundary = step % cfg.accumulate == 0 or step == len(train_loader)
            with nullcontext() if boundary else accelerator.no_sync(model):
                loss = sequence_loss(model, batch)
                accelerator.backward(loss / cfg.accumulate)
            tracker.add("train", loss)
            if boundary:
                accelerator.clip_grad_norm_(model.parameters(), cfg.max_norm)
                optimizer.step()
                optimizer.zero_grad()

        model.eval()
        with torch.no_grad():
            for batch in valid_loader:
                tracker.add("valid", sequence_loss(model, batch))
        print(f"epoch {epoch}: {tracker}")


if __name__ == "__main__":
    main()
