import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader

from toolkit import *


class BagOfWords(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.embed = nn.EmbeddingBag(VOCAB, dim)
        self.head = nn.Linear(dim, 2)

    def forward(self, tokens):
        return self.head(self.embed(tokens))


def train(model, loader, optimizer, args):
    criterion = nn.CrossEntropyLoss()
    history = History()
    for epoch in range(args.epochs):
        model.train()
        for i, (tokens, label) in enumerate(loader):
            loss = criterion(model(tokens), label)
            share_of_window(loss, args.window).backward()
            remember(history, loss=loss, epoch=epoch)
            if window_done(i, args.window, len(loader)):
                apply_update(optimizer)
        print(f"epoch {epoch}: loss {history.mean('loss'):.4f}, accuracy {accuracy(model, args):.3f}")
    return history


@torch.no_grad()
def accuracy(model, args):
    model.eval()
    hits = [
        (model(tokens).argmax(1) == label).float().mean().item()
        for tokens, label in DataLoader(reviews(64, seed=1), args.batch)
    ]
    return sum(hits) / len(hits)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--window", type=int, default=4)
    parser.add_argument("--samples", type=int, default=144)
    options = parser.parse_args()
    torch.manual_seed(1)
    net = BagOfWords()
    batches = DataLoader(reviews(options.samples), options.batch, shuffle=True)
    train(net, batches, torch.optim.Adam(net.parameters(), lr=0.02), options)
