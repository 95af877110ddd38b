from dataclasses import dataclass

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Hparams:
    lr: float = 2e-3
    accumulate: int = 5
    epochs: int = 2
    bs: int = 6

    def optimizer_steps(self, n_batches):
        return self.epochs * -(-n_batches // self.accumulate)


class NERTagger(nn.Module):
    def __init__(self, vocab=100, tags=5):
        super().__init__()
        self.emb = nn.Embedding(vocab, 16)
        self.lstm = nn.LSTM(16, 12, bidirectional=True, batch_first=True)
        self.fc = nn.Linear(24, tags)

    def forward(self, w):
        return self.fc(self.lstm(self.emb(w))[0])


def learn(hp: Hparams):
    torch.manual_seed(13)
    words = torch.randint(0, 100, (120, 10))
    loader = DataLoader(TensorDataset(words, words % 5), batch_size=hp.bs, shuffle=True)
    tagger = NERTagger()
    optimizer = torch.optim.AdamW(tagger.parameters(), lr=hp.lr)
    scheduler = torch.optim.lr_scheduler.PolynomialLR(optimizer, total_iters=hp.optimizer_steps(len(loader)))
    loss_fct = nn.CrossEntropyLoss()
    for epoch in range(hp.epochs):
        tagger.train()
        shown = 0.0
        for bi, (w, t) in enumerate(loader):
            loss = loss_fct(tagger(w).view(-1, 5), t.view(-1))
            shown += loss.item()
            (loss / hp.accumulate).backward()
            if (bi + 1) % hp.accumulate == 0 or (bi + 1) == len(loader):
                nn.utils.clip_grad_norm_(tagger.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad()
            scheduler.step()
        print(f"epoch {epoch}  loss {shown / len(loader):.3f}  lr {scheduler.get_last_lr()[0]:.2e}")


if __name__ == "__main__":
    learn(Hparams())
