import argparse

import torch
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR
from torch.utils.data import DataLoader

from toxic.dataset import CommentDataset, collate
from toxic.model import TextCNN


def limit_gradients(max_norm):
    norms = []

    def hook(optimizer, args, kwargs):
        params = [p for group in optimizer.param_groups for p in group["params"]]
        norms.append(float(nn.utils.clip_grad_norm_(params, max_norm)))

    hook.norms = norms
    return hook


def train(args):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(CommentDataset(args.data), args.batch_size, shuffle=True, collate_fn=collate)
    model = TextCNN(args.vocab_size).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    hook = limit_gradients(args.max_norm)
    optimizer.register_step_post_hook(hook)
    scheduler = OneCycleLR(optimizer, args.lr, total_steps=args.epochs * len(loader))
    criterion = nn.BCEWithLogitsLoss()

    for epoch in range(args.epochs):
        model.train()
        running = 0.0
        for tokens, labels in loader:
            optimizer.zero_grad()
            loss = criterion(model(tokens.to(device)), labels.to(device))
            loss.backward()
            optimizer.step()
            scheduler.step()
            running += loss.item()
        print(f"epoch {epoch} loss {running / len(loader):.4f} norm {max(hook.norms):.2f}")
        hook.norms.clear()
    torch.save(model.state_dict(), args.out)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--vocab-size", type=int, default=50000)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--max-norm", type=float, default=2.0)
    parser.add_argument("--out", default="model.pt")
    train(parser.parse_args())
