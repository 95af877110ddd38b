import itertools
import random

import torch
from torch import nn, optim

from g2p.data import load_pairs, tensors
from g2p.model import AttnDecoder, Encoder

MAX_LEN = 32
SOS, EOS = 0, 1


def sequence_loss(encoder, decoder, src, tgt, criterion, teacher_forcing=0.5):
    outputs, hidden = encoder(src)
    token = torch.full((1, 1), SOS, device=src.device)
    loss = 0
    force = random.random() < teacher_forcing
    for di in range(tgt.size(0)):
        logits, hidden = decoder(token, hidden, outputs)
        loss = loss + criterion(logits, tgt[di])
        token = tgt[di].view(1, 1) if force else logits.argmax(-1).view(1, 1)
    return loss / tgt.size(0)


def accuracy(encoder, decoder, pairs):
    encoder.eval()
    decoder.eval()
    right = 0
    with torch.no_grad():
        for src, tgt in pairs:
            right += decoder.greedy(encoder(src), MAX_LEN, EOS) == tgt.tolist()
    return right / len(pairs)


def train_iters(train_pairs, dev_pairs, epochs=15, lr=0.001, clip=50.0, device="cuda"):
    encoder, decoder = Encoder(64, 256).to(device), AttnDecoder(256, 80).to(device)
    parameters = itertools.chain(encoder.parameters(), decoder.parameters())
    optimizer = optim.Adam(parameters, lr=lr)
    criterion = nn.NLLLoss()
    encoder.train()
    decoder.train()
    for epoch in range(epochs):
        random.shuffle(train_pairs)
        shown = 0.0
        for src, tgt in tensors(train_pairs, device):
            optimizer.zero_grad()
            loss = sequence_loss(encoder, decoder, src, tgt, criterion)
            loss.backward()
            nn.utils.clip_grad_norm_(parameters, clip)
            optimizer.step()
            shown += loss.item()
        print(epoch, shown / len(train_pairs), accuracy(encoder, decoder, list(tensors(dev_pairs, device))))


if __name__ == "__main__":
    train_iters(*load_pairs("cmudict.dict"))
