import torch
from torch import nn

from ads.data import click_batches


class WideAndDeep(nn.Module):
    def __init__(self, fields=26, buckets=100_000, width=16):
        super().__init__()
        self.table = nn.Embedding(buckets, width)
        self.deep = nn.Sequential(nn.Linear(fields * width, 256), nn.ReLU(), nn.Linear(256, 1))

    def forward(self, ids):
        return self.deep(self.table(ids).flatten(1)).squeeze(-1)


def train(days, batch_size=4096, fields=26):
    model = WideAndDeep(fields).cuda()
    criterion = nn.BCEWithLogitsLoss()
    optimizers = [
        torch.optim.Adagrad(model.table.parameters(), lr=0.02),
        torch.optim.Adam(model.deep.parameters(), lr=1e-3),
    ]
    scaler = torch.cuda.amp.GradScaler()
    for day in days:
        model.train()
        rows = 0
        for ids, clicked in click_batches(day, batch_size):
            with torch.cuda.amp.autocast():
                loss = criterion(model(ids.cuda()), clicked.cuda())
            for optimizer in optimizers:
                optimizer.zero_grad()
            scaler.scale(loss).backward()
            [scaler.step(optimizer) for optimizer in optimizers]
            scaler.update()
            rows += len(clicked)
        print(day, rows, loss.item())
    return model
