import torch
from torch.utils.data import DataLoader


def counting_corpus(args, size=160):
    start = torch.randint(args.vocab, (size, 1))
    stride = torch.randint(1, 4, (size, 1))
    ids = (start + stride * torch.arange(args.seq_len)) % args.vocab
    return DataLoader(ids, batch_size=args.batch_size, shuffle=True)
