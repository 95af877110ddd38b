import math

import torch
from torch import nn


class AWDLike(nn.Module):
    def __init__(self, vocab: int, width: int = 650, layers: int = 2, drop: float = 0.5):
        super().__init__()
        self.drop = nn.Dropout(drop)
        self.embed = nn.Embedding(vocab, width)
        self.rnn = nn.LSTM(width, width, layers, dropout=drop)
        self.out = nn.Linear(width, vocab)
        self.out.weight = self.embed.weight

    def forward(self, x, state):
        h, state = self.rnn(self.drop(self.embed(x)), state)
        return self.out(self.drop(h)), state

    def zero_state(self, batch):
        w = self.embed.weight
        return tuple(w.new_zeros(self.rnn.num_layers, batch, self.rnn.hidden_size) for _ in range(2))


def repackage(state):
    return tuple(s.detach() for s in state)


def segments(source, bptt):
    for i in range(0, source.size(0) - 1, bptt):
        n = min(bptt, source.size(0) - 1 - i)
        yield source[i : i + n], source[i + 1 : i + 1 + n].reshape(-1)


@torch.no_grad()
def perplexity(model, source, criterion, bptt):
    model.eval()
    state, total = model.zero_state(source.size(1)), 0.0
    for x, y in segments(source, bptt):
        out, state = model(x, state)
        total += len(x) * criterion(out.flatten(0, 1), y).item()
    return math.exp(total / (len(source) - 1))


def train(model, train_data, val_data, *, epochs=40, bptt=35, lr=20.0, clip=0.25):
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.25, patience=0)
    for epoch in range(epochs):
        model.train()
        state = model.zero_state(train_data.size(1))
        epoch_loss, n = 0.0, 0
        for x, y in segments(train_data, bptt):
            state = repackage(state)
            model.zero_grad()
            out, state = model(x, state)
            loss = criterion(out.flatten(0, 1), y)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), clip)
            optimizer.step()
            epoch_loss, n = epoch_loss + loss.item(), n + 1
        ppl = perplexity(model, val_data, criterion, bptt)
        plateau.step(ppl)
        print(f"{epoch} train {math.exp(epoch_loss / n):.2f} val {ppl:.2f}")
