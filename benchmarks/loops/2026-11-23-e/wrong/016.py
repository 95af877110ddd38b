import argparse
import torch
import torch.nn as nn
import torch.nn.functional as F


class CharRNN(nn.Module):
    def __init__(self, n_chars, hidden):
        super().__init__()
        self.embed = nn.Embedding(n_chars, hidden)
        self.rnn = nn.LSTM(hidden, hidden, batch_first=True)
        self.out = nn.Linear(hidden, n_chars)

    def forward(self, seq):
        h, _ = self.rnn(self.embed(seq))
        return self.out(h)


class Trainer:
    def __init__(self, args):
        self.args = args
        self.model = CharRNN(20, args.hidden)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=args.lr)
        corpus = torch.randint(0, 20, (args.n_seq, args.seq_len + 1))
        self.batches = corpus.split(args.batch_size)

    def compute_loss(self, chunk):
        logits = self.model(chunk[:, :-1])
        return F.cross_entropy(logits.flatten(0, 1), chunk[:, 1:].flatten())

    def train_one_epoch(self, epoch):
        self.model.train()
        self.optimizer.zero_grad()
        losses = []
        n = len(self.batches)
        for step, chunk in enumerate(self.batches):
            loss = self.compute_loss(chunk) / self.args.gradient_accumulation_steps
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), self.args.max_grad_norm)
            losses.append(loss.item() * self.args.gradient_accumulation_steps)
            if (step + 1) % self.args.gradient_accumulation_steps == 0 or step + 1 == n:
                self.optimizer.step()
                self.optimizer.zero_grad()
        print(f"epoch {epoch} ppl {torch.tensor(losses).mean().exp().item():.2f}")

    def train(self):
        for epoch in range(self.args.epochs):
            self.train_one_epoch(epoch)


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--hidden", default=24, type=int)
    p.add_argument("--lr", default=2e-3, type=float)
    p.add_argument("--n-seq", default=60, type=int)
    p.add_argument("--seq-len", default=10, type=int)
    p.add_argument("--batch-size", default=6, type=int)
    p.add_argument("--epochs", default=2, type=int)
    p.add_argument("--gradient-accumulation-steps", default=4, type=int)
    p.add_argument("--max-grad-norm", default=0.25, type=float)
    Trainer(p.parse_args()).train()
