import argparse
import os
import tempfile
import time

import torch

from corpus import batchify, encode, generate
from model import CharRNN
from utils import apply_update, forward_backward, perplexity, time_since

parser = argparse.ArgumentParser()
parser.add_argument('--epochs', type=int, default=2)
parser.add_argument('--bptt', type=int, default=16)
parser.add_argument('--lr', type=float, default=1e-2)
parser.add_argument('--clip', type=float, default=1.0)
parser.add_argument('--save', default=os.path.join(tempfile.gettempdir(), 'char_rnn.pt'))
args = parser.parse_args()

torch.manual_seed(0)
train = batchify(encode(generate(60, 0)), 8, args.bptt)
valid = batchify(encode(generate(15, 1)), 4, args.bptt)
model = CharRNN()
optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)

start = time.time()
for epoch in range(args.epochs):
    hidden, total = None, 0.0
    for x, y in train:
        loss, hidden = forward_backward(model, optimizer, x, y, hidden)
        apply_update(model, optimizer, args.clip)
        total += loss
    print('%d (%s) loss %.3f ppl %.2f' % (epoch, time_since(start), total / len(train), perplexity(model, valid)))
torch.save(model.state_dict(), args.save)
