import time

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(1)


class SentimentCNN(nn.Module):
    def __init__(self, vocab=64, dim=16, p=0.4):
        super().__init__()
        self.embedding = nn.Embedding(vocab, dim)
        self.conv = nn.Conv1d(dim, 16, 3)
        self.bn = nn.BatchNorm1d(16)
        self.dropout = nn.Dropout(p)
        self.fc = nn.Linear(16, 2)

    def forward(self, tokens):
        h = self.embedding(tokens).permute(0, 2, 1)
        h = torch.relu(self.bn(self.conv(h))).amax(-1)
        return self.fc(self.dropout(h))


def get_data(n):
    tokens = torch.randint(0, 64, (n, 11))
    return TensorDataset(tokens, (tokens < 20).any(1).long())


def compute_val(model, loader, criterion):
    model.eval()
    loss_sum, hit = 0.0, 0
    with torch.no_grad():
        for tokens, label in loader:
            out = model(tokens)
            loss_sum += criterion(out, label).item() * len(label)
            hit += (out.argmax(-1) == label).sum().item()
    n = len(loader.dataset)
    return loss_sum / n, hit / n


train_iter = DataLoader(get_data(160), batch_size=10, shuffle=True)
valid_iter = DataLoader(get_data(40), batch_size=20)
model, criterion = SentimentCNN(), nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)

eval_every, patience, bad, best = 5, 4, 0, float("inf")
global_step, t0 = 0, time.time()
stop = False
for epoch in range(2):
    model.train()
    for tokens, label in train_iter:
        optimizer.zero_grad()
        loss = criterion(model(tokens), label)
        loss.backward()
        optimizer.step()
        global_step += 1
        if global_step % eval_every == 0:
            val_loss, val_acc = compute_val(model, valid_iter, criterion)
            print(f"step {global_step:3d} val {val_loss:.4f} acc {val_acc:.3f} ({time.time() - t0:.1f}s)")
            if val_loss < best:
                best, bad = val_loss, 0
            else:
                bad += 1
            if bad > patience:
                stop = True
                break
    if stop:
        break
