import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def make_speech(n=66, frames=20, mels=8, keywords=4):
    g = torch.Generator().manual_seed(11)
    return TensorDataset(
        torch.randn(n, frames, mels, generator=g),
        torch.randint(0, keywords, (n,), generator=g),
    )


class KeywordGRU(nn.Module):
    def __init__(self, mels=8, hidden=16, keywords=4):
        super().__init__()
        self.rnn = nn.GRU(mels, hidden, batch_first=True)
        self.head = nn.Linear(hidden, keywords)

    def forward(self, spec):
        _, h = self.rnn(spec)
        return self.head(h[-1])


def fit(net, loader, epochs, virtual_batch=4):
    optim = torch.optim.RMSprop(net.parameters(), lr=1e-3)
    xent = nn.CrossEntropyLoss()
    last = len(loader) - 1
    for e in range(epochs):
        net.train()
        correct = 0
        for k, (spec, word) in enumerate(loader):
            optim.zero_grad()
            scores = net(spec)
            loss = xent(scores, word) / virtual_batch
            loss.backward()
            correct += (scores.argmax(1) == word).sum().item()
            if k % virtual_batch == virtual_batch - 1 or k == last:
                nn.utils.clip_grad_norm_(net.parameters(), max_norm=5.0)
                optim.step()
        print("epoch %d acc %.2f" % (e, correct / len(loader.dataset)))
    return net


if __name__ == "__main__":
    fit(KeywordGRU(), DataLoader(make_speech(), batch_size=6, shuffle=True), epochs=2)
