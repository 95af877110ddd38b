import torch
import torch.nn.functional as F
from torch import nn

PAD = 0


class TinyLM(nn.Module):
    def __init__(self, vocab=13, width=12):
        super().__init__()
        self.embed = nn.Embedding(vocab, width, padding_idx=PAD)
        self.rnn = nn.GRU(width, width, batch_first=True)
        self.out = nn.Linear(width, vocab)

    def forward(self, ids):
        hidden, _ = self.rnn(self.embed(ids))
        return self.out(hidden)


class Pretrainer:
    def __init__(self, lm, window, record):
        self.lm, self.window, self.record = lm, window, record
        self.optimizer = torch.optim.AdamW(lm.parameters(), lr=5e-3)
        self.tokens = 0

    def flush(self):
        if self.tokens == 0:
            return
        for p in self.lm.parameters():
            if p.grad is not None:
                p.grad.div_(self.tokens)
        nn.utils.clip_grad_norm_(self.lm.parameters(), 1.0)
        self.optimizer.step()
        self.record(list(self.lm.parameters()))
        self.optimizer.zero_grad()
        self.tokens = 0

    def epoch(self, batches):
        for n, ids in enumerate(batches, 1):
            logits = self.lm(ids[:, :-1])
            target = ids[:, 1:]
            loss = F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=PAD, reduction="sum")
            loss.backward()
            self.tokens += int(target.ne(PAD).sum())
            if n % self.window == 0:
                self.flush()
        self.flush()


def ragged_batch():
    ids = torch.randint(1, 13, (4, 9))
    for row, length in zip(ids, torch.randint(4, 10, (4,)).tolist()):
        row[length:] = PAD
    return ids


def train(record):
    torch.manual_seed(5)
    trainer = Pretrainer(TinyLM(), window=3, record=record)
    batches = [ragged_batch() for _ in range(7)]
    for _ in range(2):
        trainer.epoch(batches)


if __name__ == "__main__":
    train(lambda parameters: None)
