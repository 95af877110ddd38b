import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Tagger(nn.Module):
    def __init__(self, vocab=60, tags=5):
        super().__init__()
        self.emb = nn.Embedding(vocab, 16)
        self.rnn = nn.GRU(16, 16, batch_first=True)
        self.out = nn.Linear(16, tags)

    def forward(self, tokens):
        return self.out(self.rnn(self.emb(tokens))[0])


def run(epochs=2, every=4):
    accelerator = Accelerator(cpu=True)
    data = TensorDataset(torch.randint(0, 60, (90, 9)), torch.randint(0, 5, (90, 9)))
    loader = DataLoader(data, batch_size=10, shuffle=True)
    tagger = Tagger()
    optimizer = torch.optim.Adam(tagger.parameters(), lr=2e-3)
    tagger, optimizer, loader = accelerator.prepare(tagger, optimizer, loader)
    tagger.train()
    for epoch in range(epochs):
        for n, (tokens, tags) in enumerate(loader):
            loss = nn.functional.cross_entropy(tagger(tokens).transpose(1, 2), tags)
            accelerator.backward(loss / every)
            if (n + 1) % every != 0:
                continue
            optimizer.step()
            optimizer.zero_grad()
        accelerator.print(f"epoch {epoch} last loss {loss.item():.3f}")


if __name__ == "__main__":
    run()
