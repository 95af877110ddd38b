import torch
from torch import nn
from torch.utils.data import DataLoader

from birdsong import SpectrogramDataset
from models import CRNN


def train(args):
    dataset = SpectrogramDataset(args.root, split="train")
    loader = DataLoader(dataset, batch_size=12, shuffle=True, num_workers=8)
    model = CRNN(n_classes=len(dataset.classes)).to(args.device)
    criterion = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)

    optimizer.zero_grad()
    for epoch in range(args.epochs):
        model.train()
        for i, (spec, tags) in enumerate(loader):
            loss = criterion(model(spec.to(args.device)), tags.to(args.device))
            loss = loss / 7
            loss.backward()
            if (i + 1) % 7 == 0:
                nn.utils.clip_grad_norm_(model.parameters(), 2.0)
                optimizer.step()
                optimizer.zero_grad()
            if i % 100 == 0:
                print(epoch, i, loss.item() * 7)
        torch.save(model.state_dict(), args.output)
