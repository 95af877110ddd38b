# %% [code]  Essay scoring: regression head on token embeddings
import gc

import torch
import torch.nn as nn
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader, Dataset


class CFG:
    seed = 77
    epochs = 2
    batch_size = 4
    gradient_accumulation_steps = 4
    lr = 2e-3
    warmup_ratio = 0.1
    max_grad_norm = 10.0


class EssayDataset(Dataset):
    def __init__(self, n):
        self.tokens = torch.randint(1, 60, (n, 20))
        self.target = (self.tokens < 20).float().mean(1) * 5

    def __len__(self):
        return len(self.target)

    def __getitem__(self, i):
        return {"ids": self.tokens[i], "target": self.target[i]}


class MeanPoolModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(60, 24)
        self.attn = nn.MultiheadAttention(24, 2, batch_first=True)
        self.fc = nn.Linear(24, 1)

    def forward(self, ids):
        h = self.emb(ids)
        h = h + self.attn(h, h, h, need_weights=False)[0]
        return self.fc(h.mean(1)).squeeze(1)


def get_linear_schedule_with_warmup(optimizer, warm, total):
    def ratio(s):
        return (s + 1) / max(1, warm) if s < warm else max(0.0, (total - s) / max(1, total - warm))
    return LambdaLR(optimizer, ratio)


def train_fn(loader, model, criterion, optimizer, scheduler, epoch):
    model.train()
    losses = []
    for step, batch in enumerate(loader):
        loss = criterion(model(batch["ids"]), batch["target"])
        losses.append(loss.item())
        loss = loss / CFG.gradient_accumulation_steps
        loss.backward()
        if (step + 1) % CFG.gradient_accumulation_steps == 0:
            grad_norm = nn.utils.clip_grad_norm_(model.parameters(), CFG.max_grad_norm)
            optimizer.step()
            optimizer.zero_grad()
        scheduler.step()
    print(f"Epoch {epoch} loss {sum(losses) / len(losses):.4f} grad {grad_norm:.3f} lr {scheduler.get_last_lr()[0]:.2e}")


# %% [code]
torch.manual_seed(CFG.seed)
train_loader = DataLoader(EssayDataset(128), batch_size=CFG.batch_size, shuffle=True, drop_last=True)
num_train_steps = len(train_loader) // CFG.gradient_accumulation_steps * CFG.epochs
model = MeanPoolModel()
optimizer = torch.optim.AdamW(model.parameters(), lr=CFG.lr)
scheduler = get_linear_schedule_with_warmup(optimizer, int(num_train_steps * CFG.warmup_ratio), num_train_steps)
for epoch in range(CFG.epochs):
    train_fn(train_loader, model, nn.SmoothL1Loss(), optimizer, scheduler, epoch)
del model
gc.collect()
