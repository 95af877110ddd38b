"""Fine-tune a small tagger with Accelerate."""
import argparse

import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def parse(argv=None):
    ap = argparse.ArgumentParser()
    ap.add_argument("--num_train_epochs", type=int, default=2)
    ap.add_argument("--gradient_accumulation_steps", type=int, default=4)
    ap.add_argument("--max_grad_norm", type=float, default=1.0)
    ap.add_argument("--learning_rate", type=float, default=0.05)
    return ap.parse_args(argv)


class Tagger(nn.Module):
    def __init__(self, vocab=30, tags=5):
        super().__init__()
        self.emb = nn.Embedding(vocab, 12)
        self.out = nn.Linear(12, tags)

    def forward(self, ids, labels):
        logits = self.out(self.emb(ids))
        return nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten())


def main(args):
    torch.manual_seed(3)
    accelerator = Accelerator(gradient_accumulation_steps=args.gradient_accumulation_steps, cpu=True)
    ids = torch.randint(0, 30, (64, 7))
    loader = DataLoader(TensorDataset(ids, ids % 5), batch_size=4, shuffle=True)
    model = Tagger()
    optimizer = torch.optim.SGD(model.parameters(), lr=args.learning_rate)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)

    done = 0
    for epoch in range(args.num_train_epochs):
        model.train()
        for ids, labels in loader:
            with accelerator.accumulate(model):
                loss = model(ids, labels)
                loss = loss / args.gradient_accumulation_steps
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), args.max_grad_norm)
                    done += 1
                optimizer.step()
                optimizer.zero_grad()
        accelerator.print(f"epoch {epoch}: {done} updates, loss {loss.item() * args.gradient_accumulation_steps:.3f}")


main(parse([]))
