import math
import torch
import torch.nn as nn


class LSTMLanguageModel(nn.Module):
    def __init__(self, ntoken, ninp, nhid, dropout=0.2):
        super().__init__()
        self.drop = nn.Dropout(dropout)
        self.encoder = nn.Embedding(ntoken, ninp)
        self.rnn = nn.LSTM(ninp, nhid)
        self.decoder = nn.Linear(nhid, ntoken)
        self.nhid = nhid

    def forward(self, tokens, state):
        out, state = self.rnn(self.drop(self.encoder(tokens)), state)
        return self.decoder(self.drop(out)), state

    def init_hidden(self, bsz):
        w = next(self.parameters())
        return w.new_zeros(1, bsz, self.nhid), w.new_zeros(1, bsz, self.nhid)


class Trainer:
    def __init__(self, model, data, bptt=8, clip=0.1, lr=1.0):
        self.model, self.data, self.bptt, self.clip = model, data, bptt, clip
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr)
        self.criterion = nn.CrossEntropyLoss()

    def get_batch(self, i):
        n = min(self.bptt, len(self.data) - 1 - i)
        return self.data[i : i + n], self.data[i + 1 : i + 1 + n].reshape(-1)

    def _update(self):
        self.optimizer.step()

    def _limit(self):
        return torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)

    def run_epoch(self):
        self.model.train()
        hidden = self.model.init_hidden(self.data.size(1))
        total, count = 0.0, 0
        for i in range(0, self.data.size(0) - 1, self.bptt):
            inputs, targets = self.get_batch(i)
            hidden = tuple(h.detach() for h in hidden)
            self.optimizer.zero_grad()
            output, hidden = self.model(inputs, hidden)
            loss = self.criterion(output.reshape(targets.numel(), -1), targets)
            loss.backward()
            self._update()
            self._limit()
            total += loss.item() * len(inputs)
            count += len(inputs)
        return total / count


def main():
    torch.manual_seed(1111)
    data = torch.randint(0, 30, (400,)).view(8, 50).t().contiguous()
    trainer = Trainer(LSTMLanguageModel(30, 12, 20), data)
    for epoch in range(1, 3):
        loss = trainer.run_epoch()
        print(f"| end of epoch {epoch} | loss {loss:.3f} | ppl {math.exp(loss):.2f}")


main()
