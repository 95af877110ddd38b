import random

import torch

WORDS = ('a cat sat on the mat', 'the dog ran to the cat', 'a bird sang on the roof', 'the mat was on the roof')


def generate(n_sentences, seed, extra=()):
    rng = random.Random(seed)
    return ' . '.join(rng.choice(WORDS + tuple(extra)) for _ in range(n_sentences))


ALPHABET = ' .abcdefghijklmnopqrstuvwxyz'


def encode(text):
    return torch.tensor([ALPHABET.index(c) for c in text])


def batchify(data, batch_size, bptt):
    n = len(data) // batch_size
    data = data[:n * batch_size].view(batch_size, n)
    out = []
    for i in range(0, n - 1, bptt):
        length = min(bptt, n - 1 - i)
        out.append((data[:, i:i + length], data[:, i + 1:i + 1 + length]))
    return out
