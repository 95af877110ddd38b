"""Skip-gram with negative sampling."""
import torch
import torch.nn as nn
import torch.nn.functional as F


def windows(tokens, radius):
    for i, c in enumerate(tokens):
        for j in range(max(0, i - radius), min(len(tokens), i + radius + 1)):
            if i != j:
                yield c, tokens[j]


class SkipGram(nn.Module):
    def __init__(self, n_words, dim):
        super().__init__()
        self.u = nn.Embedding(n_words, dim)
        self.v = nn.Embedding(n_words, dim)
        nn.init.uniform_(self.u.weight, -0.5 / dim, 0.5 / dim)

    def forward(self, center, context, negatives):
        c = self.u(center)
        pos = F.logsigmoid((c * self.v(context)).sum(-1))
        neg = F.logsigmoid(-torch.bmm(self.v(negatives), c.unsqueeze(-1)).squeeze(-1)).sum(-1)
        return -(pos + neg).mean()


class Word2Vec:
    def __init__(self, corpus, dim=16, n_neg=4, batch=64, lr=0.05):
        vocab = sorted(set(corpus))
        self.idx = {w: i for i, w in enumerate(vocab)}
        self.pairs = torch.tensor(list(windows([self.idx[w] for w in corpus], 2)))
        self.net = SkipGram(len(vocab), dim)
        self.n_neg, self.batch = n_neg, batch
        self.optimizer = torch.optim.Adagrad(self.net.parameters(), lr=lr)

    def batches(self):
        yield from self.pairs[torch.randperm(len(self.pairs))].split(self.batch)

    def apply_gradients(self, loss):
        loss.backward()
        self.optimizer.zero_grad()
        self.optimizer.step()

    def fit(self, epochs):
        history = []
        for epoch in range(epochs):
            losses = []
            for chunk in self.batches():
                center, context = chunk.unbind(1)
                negatives = torch.randint(len(self.idx), (len(chunk), self.n_neg))
                loss = self.net(center, context, negatives)
                self.apply_gradients(loss)
                losses.append(loss.item())
            history.append(sum(losses) / len(losses))
            print(f"epoch {epoch}: {history[-1]:.4f}")
        return history


if __name__ == "__main__":
    torch.manual_seed(0)
    text = "the cat sat on the mat while the dog lay on the rug and the bird sang to the cat " * 12
    Word2Vec(text.split()).fit(4)
