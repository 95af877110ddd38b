"""Word vectors and tagger have optimizers of their own, one scaler, and one norm over both."""
import torch
from torch import nn
from torch.nn import functional as F

WORDS, TAGS = 30, 5


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(WORDS, 8)
        self.cell = nn.GRU(8, 10, batch_first=True)
        self.tag = nn.Linear(10, TAGS)

    def forward(self, ids):
        return self.tag(self.cell(self.words(ids))[0])

    def groups(self):
        words = list(self.words.parameters())
        return words, [p for p in self.parameters() if p is not words[0]]


def sentences(count, g):
    for _ in range(count):
        ids = torch.randint(WORDS, (8, 6), generator=g)
        yield ids, (ids + ids.roll(1, 1)) % TAGS


def train(record):
    torch.manual_seed(15)
    tagger = Tagger()
    words, rest = tagger.groups()
    word_opt = torch.optim.SGD(words, lr=1.0)
    rest_opt = torch.optim.SGD(rest, lr=0.5)
    scaler = torch.amp.GradScaler("cpu", init_scale=64.0)
    for ids, tags in sentences(20, torch.Generator().manual_seed(1)):
        for opt in (word_opt, rest_opt):
            opt.zero_grad()
        loss = F.cross_entropy(tagger(ids).flatten(0, 1), tags.flatten())
        scaler.scale(loss).backward()
        for opt in (word_opt, rest_opt):
            scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(tagger.parameters(), 0.4)
        for opt in (word_opt, rest_opt):
            scaler.step(opt)
        scaler.update()
        record(words + rest)


if __name__ == "__main__":
    train(lambda parameters: None)
