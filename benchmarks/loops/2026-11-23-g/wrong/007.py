import itertools
import logging

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("ner")

TAGS = ["O", "B-PER", "I-PER", "B-LOC"]
ACCUMULATE = 3


class Tagger(nn.Module):
    def __init__(self, vocab_size, dim, tags):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, dim, padding_idx=0)
        self.context = nn.Conv1d(dim, dim, 3, padding=1)
        self.project = nn.Linear(dim, tags)

    def forward(self, tokens):
        h = self.embed(tokens).transpose(1, 2)
        h = torch.relu(self.context(h)).transpose(1, 2)
        return self.project(h)


def fake_corpus(sentences=36, length=10, vocab=40):
    g = torch.Generator().manual_seed(5)
    tokens = torch.randint(1, vocab, (sentences, length), generator=g)
    tags = (tokens % len(TAGS)).clone()
    return [(tokens[i : i + 4], tags[i : i + 4]) for i in range(0, sentences, 4)]


def forward_backward(model, tokens, tags):
    model.zero_grad()
    scores = model(tokens)
    loss = nn.functional.cross_entropy(scores.flatten(0, 1), tags.flatten())
    (loss / ACCUMULATE).backward()
    return loss.item()


def train(model, corpus, updates):
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.05)
    stream = itertools.cycle(corpus)
    model.train()
    for update in range(updates):
        losses = []
        for tokens, tags in itertools.islice(stream, ACCUMULATE):
            losses.append(forward_backward(model, tokens, tags))
        nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        optimizer.step()
        if update % 4 == 3:
            log.info("update %d loss %.4f", update + 1, sum(losses) / len(losses))


if __name__ == "__main__":
    torch.manual_seed(0)
    train(Tagger(40, 16, len(TAGS)), fake_corpus(), updates=12)
