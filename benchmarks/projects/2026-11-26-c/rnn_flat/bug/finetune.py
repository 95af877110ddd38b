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
parser.add_argument('--lr', type=float, default=2e-3)
parser.add_argument('--clip', type=float, default=0.5)
parser.add_argument('--every', type=int, default=4, help='chunks per update')
parser.add_argument('--load', default=os.path.join(tempfile.gettempdir(), 'char_rnn.pt'))
args = parser.parse_args()

torch.manual_seed(1)
new = ('my fox hid in a box', 'we saw a red fox')
train = batchify(encode(generate(40, 2, new)), 4, args.bptt)
valid = batchify(encode(generate(15, 3, new)), 4, args.bptt)
model = CharRNN()
if os.path.exists(args.load):
    model.load_state_dict(torch.load(args.load))
optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)

start = time.time()
for epoch in range(args.epochs):
    hidden, total = None, 0.0
    for i, (x, y) in enumerate(train):
        loss, hidden = forward_backward(model, optimizer, x, y, hidden, scale=1 / args.every)
        total += loss
        if (i + 1) % args.every == 0 or i + 1 == len(train):
            apply_update(model, optimizer, args.clip)
    print('%d (%s) loss %.3f ppl %.2f' % (epoch, time_since(start), total / len(train), perplexity(model, valid)))
