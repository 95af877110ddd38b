import torch
from torch import nn


def sentences(count=11, size=6):
    batches = []
    for k in range(count):
        words = torch.randint(0, 20, (size, 5))
        tags = words.sum(1) % 4
        tags[torch.rand(size) < 0.3] = -100
        if k in (3, count - 1):
            tags[:] = -100
        batches.append((words, tags))
    return batches


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.EmbeddingBag(20, 12)
        self.tags = nn.Linear(12, 4)

    def forward(self, words):
        return self.tags(self.words(words))


def fit(tagger, batches, record, accum=4, epochs=3):
    optimizer = torch.optim.Adagrad(tagger.parameters(), lr=0.2)
    criterion = nn.CrossEntropyLoss(ignore_index=-100)
    for epoch in range(epochs):
        pending, total = 0, 0.0
        for i, (words, tags) in enumerate(batches):
            if not (tags >= 0).any():
                continue
            loss = criterion(tagger(words), tags)
            (loss / accum).backward()
            total += loss.item()
            pending += 1
            if pending == accum:
                optimizer.step()
                optimizer.zero_grad()
                record(list(tagger.parameters()))
                pending = 0
        if pending:
            optimizer.step()
            optimizer.zero_grad()
            record(list(tagger.parameters()))
        print(epoch, i + 1, total)


def train(record):
    torch.manual_seed(647)
    fit(Tagger(), sentences(), record)


if __name__ == "__main__":
    train(lambda parameters: None)
