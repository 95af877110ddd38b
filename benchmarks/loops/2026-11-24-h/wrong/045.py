"""Intent classification; a check on the dev split every `eval_every` updates."""
from types import SimpleNamespace

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split


class IntentNet(nn.Module):
    def __init__(self, vocab=90, d=32, heads=4, classes=5, p=0.2):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        layer = nn.TransformerEncoderLayer(d, heads, 64, dropout=p, batch_first=True)
        self.enc = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)
        self.fc = nn.Sequential(nn.Dropout(p), nn.Linear(d, classes))

    def forward(self, ids):
        return self.fc(self.enc(self.emb(ids))[:, 0])


def evaluate(model, loader):
    model.eval()
    right = total = 0
    with torch.no_grad():
        for ids, y in loader:
            right += (model(ids).argmax(1) == y).sum().item()
            total += len(y)
    return right / total


def train(model, train_loader, dev_loader, hp):
    optimizer = torch.optim.AdamW(model.parameters(), lr=hp.lr)
    criterion = nn.CrossEntropyLoss()
    best, global_step = 0.0, 0
    for epoch in range(hp.epochs):
        model.train()
        for ids, y in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(ids), y)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), hp.clip)
            optimizer.step()
            global_step += 1
            if global_step % hp.eval_every == 0:
                acc = evaluate(model, dev_loader)
                if acc > best:
                    best = acc
                    snapshot = {k: v.clone() for k, v in model.state_dict().items()}
                    print(f"step {global_step}: new best {best:.3f} ({len(snapshot)} tensors kept)")
    return best


if __name__ == "__main__":
    torch.manual_seed(0)
    y = torch.randint(0, 5, (160,))
    ids = torch.randint(5, 90, (160, 8))
    ids[:, 0] = y
    tr, dev = random_split(TensorDataset(ids, y), [128, 32])
    hp = SimpleNamespace(lr=3e-3, epochs=3, clip=1.0, eval_every=5)
    print("best", train(IntentNet(), DataLoader(tr, 16, shuffle=True), DataLoader(dev, 32), hp))
