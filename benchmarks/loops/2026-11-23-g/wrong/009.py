"""Seq2seq copy task with attention-free GRU encoder/decoder and two optimizers."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

SOS, VOCAB, HIDDEN, LENGTH = 0, 14, 20, 5
MAX_NORM = 1.0
teacher_forcing_ratio = 0.5


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, HIDDEN)
        self.gru = nn.GRU(HIDDEN, HIDDEN, batch_first=True)

    def forward(self, src):
        return self.gru(self.emb(src))[1]


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, HIDDEN)
        self.gru = nn.GRU(HIDDEN, HIDDEN, batch_first=True)
        self.out = nn.Linear(HIDDEN, VOCAB)

    def forward(self, token, state):
        out, state = self.gru(self.emb(token), state)
        return self.out(out), state


def train_step(src, encoder, decoder, enc_opt, dec_opt):
    enc_opt.zero_grad()
    dec_opt.zero_grad()
    state = encoder(src)
    token = torch.full((src.size(0), 1), SOS)
    loss = 0
    forced = random.random() < teacher_forcing_ratio
    for t in range(src.size(1)):
        logits, state = decoder(token, state)
        loss = loss + F.cross_entropy(logits[:, 0], src[:, t])
        token = src[:, t : t + 1] if forced else logits.argmax(-1).detach()
    nn.utils.clip_grad_norm_(encoder.parameters(), MAX_NORM)
    nn.utils.clip_grad_norm_(decoder.parameters(), MAX_NORM)
    loss.backward()
    enc_opt.step()
    dec_opt.step()
    return loss.item() / src.size(1)


def train_iters(n_iters, print_every=6):
    encoder, decoder = Encoder(), Decoder()
    enc_opt = torch.optim.SGD(encoder.parameters(), lr=0.2)
    dec_opt = torch.optim.SGD(decoder.parameters(), lr=0.2)
    window = 0.0
    for it in range(1, n_iters + 1):
        src = torch.randint(1, VOCAB, (8, LENGTH))
        window += train_step(src, encoder, decoder, enc_opt, dec_opt)
        if it % print_every == 0:
            print(f"{it:4d} ({100 * it // n_iters}%) {window / print_every:.4f}")
            window = 0.0


random.seed(2)
torch.manual_seed(2)
train_iters(18)
