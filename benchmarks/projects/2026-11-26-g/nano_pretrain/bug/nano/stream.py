import torch


def token_stream(opt):
    while True:
        start = torch.randint(0, opt.vocab, (opt.batch, 1))
        row = (start + 3 * torch.arange(opt.context + 1)) % opt.vocab
        yield row[:, :-1], row[:, 1:]
