"""Word vectors move with every batch, the body of the model once in three; each has a limit of its own."""
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_

EVERY = 3


class Tagger(nn.Module):
    def __init__(self, words=40, tags=5):
        super().__init__()
        self.words = nn.Embedding(words, 8)
        self.body = nn.GRU(8, 12, batch_first=True)
        self.out = nn.Linear(12, tags)

    def forward(self, ids):
        return self.out(self.body(self.words(ids))[0])


def train(record):
    torch.manual_seed(61)
    tagger = Tagger()
    body = [*tagger.body.parameters(), *tagger.out.parameters()]
    word_opt = torch.optim.SGD(tagger.words.parameters(), lr=0.5)
    body_opt = torch.optim.Adam(body, lr=0.01)
    for i in range(24):
        ids = torch.randint(0, 40, (6, 9))
        tags = (ids + ids.roll(1, 1)) % 5
        scores = tagger(ids)
        loss = nn.functional.cross_entropy(scores.flatten(0, 1), tags.flatten())

        # the body takes the mean of its window, the words take what is there now
        word_opt.zero_grad()
        loss.backward()
        clip_grad_norm_(tagger.words.parameters(), 0.3)
        word_opt.step()
        record(list(tagger.words.parameters()))
        if i % EVERY == EVERY - 1:
            for p in body:
                p.grad.div_(EVERY)
            clip_grad_norm_(body, 1.0)
            body_opt.step()
            record(body)
            body_opt.zero_grad()


if __name__ == "__main__":
    train(lambda parameters: None)
