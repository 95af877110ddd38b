import random

import torch
from torch import nn, optim

SEED, EPOCHS, BS, ACCUM, VOCAB = 42, 2, 8, 4, 200
random.seed(SEED)
torch.manual_seed(SEED)


class Sentiment(nn.Module):
    def __init__(self):
        super().__init__()
        self.bag = nn.EmbeddingBag(VOCAB, 16, mode="mean", padding_idx=0)
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(16, 2)

    def forward(self, ids):
        return self.out(self.drop(self.bag(ids)))


def make_corpus(n):
    rows = []
    for _ in range(n):
        label = random.randint(0, 1)
        ids = [random.randint(1 + 80 * label, 119 + 80 * label) for _ in range(random.randint(4, 12))]
        rows.append((ids, label))
    return rows


def collate(rows):
    width = max(len(r[0]) for r in rows)
    ids = torch.tensor([r[0] + [0] * (width - len(r[0])) for r in rows])
    return ids, torch.tensor([r[1] for r in rows])


@torch.inference_mode()
def accuracy(model, dl):
    model.eval()
    hits = [(model(x).argmax(-1) == y).float().mean().item() for x, y in dl]
    return sum(hits) / len(hits)


train_dl = torch.utils.data.DataLoader(make_corpus(128), batch_size=BS, shuffle=True, collate_fn=collate)
valid_dl = torch.utils.data.DataLoader(make_corpus(64), batch_size=BS, collate_fn=collate)
model = Sentiment()
criterion = nn.CrossEntropyLoss()
optimizer = optim.SGD(model.parameters(), lr=0.5, momentum=0.9)

for epoch in range(EPOCHS):
    model.train()
    optimizer.zero_grad()
    shown = 0.0
    for step, (ids, y) in enumerate(train_dl):
        loss = criterion(model(ids), y)
        loss.backward()
        shown += loss.item() / len(train_dl)
        if (step + 1) % ACCUM == 0 or step + 1 == len(train_dl):
            optimizer.step()
            optimizer.zero_grad()
    print(f"epoch {epoch} train {shown:.4f} acc {accuracy(model, valid_dl):.3f}")
