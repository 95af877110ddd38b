import torch
from torch import nn

from text import Vocabulary, lines


def batches(path, vocab, size):
    buffer = []
    for line in lines(path):
        buffer.append(vocab.encode(line))
        if len(buffer) == size:
            padded = nn.utils.rnn.pad_sequence(buffer, batch_first=True)
            yield padded[:, :-1], padded[:, 1:]
            buffer = []


class CharLSTM(nn.Module):
    def __init__(self, vocab_size, hidden=512):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, hidden)
        self.lstm = nn.LSTM(hidden, hidden, num_layers=2, batch_first=True, dropout=0.2)
        self.head = nn.Linear(hidden, vocab_size)

    def forward(self, x):
        return self.head(self.lstm(self.embed(x))[0])


def main(path="corpus.txt", epochs=12):
    vocab = Vocabulary.from_file(path)
    model = CharLSTM(len(vocab))
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    criterion = nn.CrossEntropyLoss(ignore_index=0)
    for epoch in range(epochs):
        model.train()
        for x, y in batches(path, vocab, 64):
            optimizer.zero_grad()
            loss = criterion(model(x).transpose(1, 2), y)
            nn.utils.clip_grad_norm_(model.parameters(), 0.25)
            loss.backward()
            optimizer.step()
        print(epoch, loss.exp().item())


main()
