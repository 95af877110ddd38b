"""Named-entity tagger; the criterion object knows how many chunks make an update."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class SharedCriterion(nn.Module):
    def __init__(self, parts, ignore=-100):
        super().__init__()
        self.parts = parts
        self.ce = nn.CrossEntropyLoss(ignore_index=ignore)

    def forward(self, logits, tags):
        raw = self.ce(logits.flatten(0, 1), tags.flatten())
        self.last = raw.item()
        return raw / self.parts


class Tagger(nn.Module):
    def __init__(self, vocab=70, tags=4, d=20):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.rnn = nn.LSTM(d, d, bidirectional=True, batch_first=True)
        self.out = nn.Linear(2 * d, tags)

    def forward(self, w):
        return self.out(self.rnn(self.emb(w))[0])


def main():
    torch.manual_seed(0)
    parts = 4
    words = torch.randint(0, 70, (128, 9))
    tags = words % 4
    tags[torch.rand(tags.shape) < 0.1] = -100
    loader = DataLoader(TensorDataset(words, tags), batch_size=8, shuffle=True)
    tagger, objective = Tagger(), SharedCriterion(parts)
    opt = torch.optim.Adam(tagger.parameters(), lr=1e-2)
    pending = 0
    for epoch in range(3):
        tagger.train()
        mean = 0.0
        for w, t in loader:
            loss = objective(tagger(w), t)
            loss.backward()
            mean += objective.last / len(loader)
            pending += 1
            if pending == parts:
                opt.step()
                opt.zero_grad()
                pending = 0
        print(f"epoch {epoch}: {mean:.4f}, pending {pending}")


if __name__ == "__main__":
    main()
