import statistics

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


class CharRNN(nn.Module):
    def __init__(self, symbols=9, width=14):
        super().__init__()
        self.embed = nn.Embedding(symbols, width)
        self.rnn = nn.RNN(width, width, batch_first=True)
        self.out = nn.Linear(width, symbols)

    def forward(self, ids):
        return self.out(self.rnn(self.embed(ids))[0])


def loss_of(net, ids):
    logits = net(ids[:, :-1])
    return nn.functional.cross_entropy(logits.transpose(1, 2), ids[:, 1:])


def fit(net, optimizer, corpus, epochs, record):
    history = []
    for epoch in range(epochs):
        for ids in corpus:
            optimizer.zero_grad()
            loss = loss_of(net, ids)
            loss.backward()
            limit = 0.8 * statistics.median(history[-5:]) if history else 0.3
            norm = clip_grad_norm_(net.parameters(), limit)
            optimizer.step()
            record(list(net.parameters()))
            history.append(norm.item())
        print(epoch, loss.item(), limit)


def train(record):
    torch.manual_seed(28)
    net = CharRNN()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.4)
    corpus = [torch.randint(0, 9, (6, 8)) for _ in range(5)]
    fit(net, optimizer, corpus, 3, record)


if __name__ == "__main__":
    train(lambda parameters: None)
