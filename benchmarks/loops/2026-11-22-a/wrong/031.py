import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from nmt.batching import max_tokens_collate
from nmt.data import ParallelCorpus
from nmt.model import BertEncoder, TransformerDecoder


class Noam:
    """Inverse square-root learning rate, set once per update."""

    def __init__(self, optimizer, factor, warmup):
        self.optimizer, self.factor, self.warmup, self.n = optimizer, factor, warmup, 0

    def step(self):
        self.n += 1
        lr = self.factor * min(self.n**-0.5, self.n * self.warmup**-1.5)
        for group in self.optimizer.param_groups:
            group["lr"] = lr
        self.optimizer.step()


def train(args):
    encoder, decoder = BertEncoder(args.bert).cuda(), TransformerDecoder(args.vocab).cuda()
    enc_opt = torch.optim.Adam(encoder.parameters(), lr=args.enc_lr, betas=(0.9, 0.998))
    dec_opt = torch.optim.Adam(decoder.parameters(), lr=0.0, betas=(0.9, 0.998))
    noam = Noam(dec_opt, args.dec_factor, args.warmup)
    loader = DataLoader(ParallelCorpus(args.train), batch_size=32, shuffle=True, collate_fn=max_tokens_collate)
    n = args.grad_accum_count
    n_batches = len(loader) - len(loader) % n

    for epoch in range(args.epochs):
        encoder.train()
        decoder.train()
        for i, (src, tgt) in enumerate(loader):
            if i >= n_batches:
                break
            src, tgt = src.cuda(), tgt.cuda()
            if i % n == 0:
                dec_opt.zero_grad()
            enc_opt.zero_grad()
            logits = decoder(tgt[:, :-1], encoder(src))
            loss = F.cross_entropy(logits.flatten(0, 1), tgt[:, 1:].flatten(), label_smoothing=0.1) / n
            loss.backward()
            if i % n == n - 1:
                enc_opt.step()
                noam.step()
        torch.save({"enc": encoder.state_dict(), "dec": decoder.state_dict()}, f"{args.out}/{epoch}.pt")
