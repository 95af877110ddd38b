import argparse

import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class NLI(nn.Module):
    def __init__(self, vocab=64, dim=16):
        super().__init__()
        self.emb = nn.EmbeddingBag(vocab, dim)
        self.cls = nn.Sequential(nn.Linear(3 * dim, 24), nn.ReLU(), nn.Linear(24, 2))

    def forward(self, a, b):
        u, v = self.emb(a), self.emb(b)
        return self.cls(torch.cat([u, v, (u - v).abs()], -1))


def loaders(bs):
    a = torch.randint(0, 64, (360, 8))
    b = torch.where(torch.rand(360, 1) < 0.5, a, torch.randint(0, 64, (360, 8)))
    y = (a == b).all(1).long()
    tr = TensorDataset(a[:300], b[:300], y[:300])
    ev = TensorDataset(a[300:], b[300:], y[300:])
    return DataLoader(tr, batch_size=bs, shuffle=True), DataLoader(ev, batch_size=bs)


def main(args):
    accelerator = Accelerator(gradient_accumulation_steps=args.gradient_accumulation_steps, cpu=True)
    torch.manual_seed(args.seed)
    train_dl, eval_dl = loaders(args.batch_size)
    model = NLI()
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    lr_scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.1, total_iters=15)
    model, optimizer, train_dl, eval_dl, lr_scheduler = accelerator.prepare(
        model, optimizer, train_dl, eval_dl, lr_scheduler
    )
    for epoch in range(args.num_epochs):
        model.train()
        for a, b, y in train_dl:
            with accelerator.accumulate(model):
                loss = nn.functional.cross_entropy(model(a, b), y)
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                lr_scheduler.step()
                optimizer.zero_grad()

        model.eval()
        right = total = 0
        for a, b, y in eval_dl:
            with torch.no_grad():
                pred = model(a, b).argmax(-1)
            pred, y = accelerator.gather_for_metrics((pred, y))
            right += (pred == y).sum().item()
            total += len(y)
        accelerator.print(f"epoch {epoch}: {right / total:.3f}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--gradient_accumulation_steps", type=int, default=4)
    ap.add_argument("--batch_size", type=int, default=15)
    ap.add_argument("--num_epochs", type=int, default=3)
    ap.add_argument("--lr", type=float, default=5e-3)
    ap.add_argument("--seed", type=int, default=0)
    main(ap.parse_args())
