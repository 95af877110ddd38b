import math
import warnings

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")


class Seq2Seq(nn.Module):
    def __init__(self, vocab=20, d=24):
        super().__init__()
        self.src, self.tgt = nn.Embedding(vocab, d), nn.Embedding(vocab, d)
        self.encoder, self.decoder = nn.GRU(d, d, batch_first=True), nn.GRU(d, d, batch_first=True)
        self.generator = nn.Linear(d, vocab)

    def forward(self, src, tgt):
        _, h = self.encoder(self.src(src))
        return self.generator(self.decoder(self.tgt(tgt), h)[0])


def noam(step, d_model=24, warmup=20):
    step = max(step, 1)
    return d_model ** -0.5 * min(step ** -0.5, step * warmup ** -1.5)


def train_epoch(model, loader, crit, optimizer, scheduler):
    model.train()
    tokens = nll = 0
    for src, tgt in loader:
        logits = model(src, tgt[:, :-1])
        gold = tgt[:, 1:]
        loss = crit(logits.reshape(-1, logits.size(-1)), gold.reshape(-1))

        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1)
        scheduler.step()
        optimizer.step()

        tokens += gold.numel()
        nll += loss.item() * gold.numel()
    return math.exp(nll / tokens)


def evaluate(model, loader, crit):
    model.eval()
    tokens = nll = 0
    for src, tgt in loader:
        logits = model(src, tgt[:, :-1])
        gold = tgt[:, 1:]
        nll += crit(logits.reshape(-1, logits.size(-1)), gold.reshape(-1)).item() * gold.numel()
        tokens += gold.numel()
    return math.exp(nll / tokens)


def main():
    torch.manual_seed(0)
    src = torch.randint(2, 20, (90, 7))
    tgt = torch.cat([torch.ones(90, 1, dtype=torch.long), src.flip(1)], 1)
    model = Seq2Seq()
    optimizer = torch.optim.Adam(model.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lr_lambda=noam)
    crit = nn.CrossEntropyLoss()
    loader = DataLoader(TensorDataset(src[:75], tgt[:75]), batch_size=15, shuffle=True)
    valid = DataLoader(TensorDataset(src[75:], tgt[75:]), batch_size=15)
    for epoch in range(3):
        ppl = train_epoch(model, loader, crit, optimizer, scheduler)
        print(f"Epoch {epoch} train ppl {ppl:.2f} valid ppl {evaluate(model, valid, crit):.2f}")


if __name__ == "__main__":
    main()
