import argparse

import torch
from accelerate import Accelerator
from accelerate.utils import set_seed

from retr.corpus import get_loaders
from retr.encoder import BiEncoder
from retr.metrics import recall_at_1
from retr.objective import info_nce, limit
from retr.settings import read


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--settings", default="settings.json")
    s = read(parser.parse_args().settings)
    set_seed(7)

    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=s.grad_accum)
    train_loader, dev_loader = get_loaders(s)
    model = BiEncoder(s.vocab, s.dim)
    optimizer = torch.optim.AdamW(model.parameters(), lr=s.lr)
    model, optimizer, train_loader, dev_loader = accelerator.prepare(
        model, optimizer, train_loader, dev_loader
    )

    for epoch in range(s.epochs):
        model.train()
        for queries, docs in train_loader:
            with accelerator.accumulate(model):
                q, d = model(queries, docs)
                loss = info_nce(q, d, s)
                accelerator.backward(loss)
                limit(accelerator, model, s.max_norm)
                optimizer.step()
                optimizer.zero_grad()
        accelerator.print(f"epoch {epoch} loss {loss.item():.4f} r@1 {recall_at_1(model, dev_loader):.3f}")


if __name__ == "__main__":
    main()
