# Homework 4: sequence reversal with attention
import torch

VOCAB = 12
LEN = 6


def get_batches(num_batches, batch_size, seed):
    g = torch.Generator().manual_seed(seed)
    batches = []
    for _ in range(num_batches):
        src = torch.randint(1, VOCAB, (batch_size, LEN), generator=g)
        batches.append((src, src.flip(1)))
    return batches
