import math

import torch
from torch import nn


class CharLSTM(nn.Module):
    def __init__(self, vocab, hidden=256):
        super().__init__()
        self.embed = nn.Embedding(vocab, hidden)
        self.lstm = nn.LSTM(hidden, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, x, state=None):
        h, state = self.lstm(self.embed(x), state)
        return self.out(h), state


def pieces(text, length):
    for start in range(0, text.size(1) - 1, length):
        stop = min(start + length, text.size(1) - 1)
        yield text[:, start:stop], text[:, start + 1 : stop + 1]


def train(text, vocab, passes=20, length=64, lr=2e-3):
    model = CharLSTM(vocab)
    optimizer = torch.optim.RMSprop(model.parameters(), lr=lr)
    criterion = nn.CrossEntropyLoss()
    for n in range(passes):
        model.train()
        state, nats, count = None, 0.0, 0
        for x, y in pieces(text, length):
            logits, state = model(x, state)
            state = tuple(s.detach() for s in state)
            loss = criterion(logits.transpose(1, 2), y)
            loss.backward()
            optimizer.zero_grad()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            nats += loss.item() * y.numel()
            count += y.numel()
        print(f"pass {n}: perplexity {math.exp(nats / count):.2f}")
    return model
