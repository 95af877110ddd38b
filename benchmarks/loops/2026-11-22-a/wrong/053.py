import argparse
import math
import time

import torch
import torch.nn as nn

from folksong.model import SongLSTM
from folksong.text import Alphabet, columns

ap = argparse.ArgumentParser(description="a character model of ABC tunes")
ap.add_argument("--tunes", default="thesession.txt")
ap.add_argument("--hidden", type=int, default=650)
ap.add_argument("--span", type=int, default=64)
ap.add_argument("--lr", type=float, default=2.0)
ap.add_argument("--clip", type=float, default=0.25)
ap.add_argument("--epochs", type=int, default=40)
args = ap.parse_args()

alphabet = Alphabet.of(args.tunes)
stream = columns(args.tunes, alphabet, width=32).cuda()
model = SongLSTM(len(alphabet), args.hidden).cuda()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)


def one_pass(epoch):
    model.train()
    state = None
    seen, since = 0.0, time.time()
    starts = range(0, len(stream) - args.span, args.span)
    for n, start in enumerate(starts, start=1):
        x = stream[start : start + args.span]
        y = stream[start + 1 : start + 1 + args.span]
        if state is not None:
            state = tuple(s.detach() for s in state)
        logits, state = model(x, state)
        loss = criterion(logits.flatten(0, 1), y.flatten())
        optimizer.zero_grad()
        nn.utils.clip_grad_norm_(model.parameters(), args.clip)
        loss.backward()
        optimizer.step()
        seen += loss.item()
        if n % 200 == 0:
            print(f"epoch {epoch} span {n}/{len(starts)} ppl {math.exp(seen / 200):.2f} {time.time() - since:.0f}s")
            seen, since = 0.0, time.time()


for epoch in range(args.epochs):
    one_pass(epoch)
    torch.save({"model": model.state_dict(), "alphabet": alphabet.symbols}, "song.pt")
