import argparse
from itertools import cycle

import torch
import torch.nn.functional as F

from translate.data import monolingual, parallel
from translate.model import Seq2Seq, corrupt

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=12)
parser.add_argument("--denoise", type=float, default=0.3)
parser.add_argument("--lr", type=float, default=5e-4)
opts = parser.parse_args()

model = Seq2Seq(layers=6)
optim = torch.optim.Adam(model.parameters(), lr=opts.lr, betas=(0.9, 0.98))
inverse_root = torch.optim.lr_scheduler.LambdaLR(optim, lambda n: min((n + 1) / 4000, (4000 / (n + 1)) ** 0.5))

for epoch in range(opts.epochs):
    model.train()
    supervised = denoised = 0.0
    loader = parallel("de-en")
    for (source, target), text in zip(loader, cycle(monolingual("en"))):
        optim.zero_grad()
        translation = F.cross_entropy(model(source, target).flatten(0, 1), target.flatten(), label_smoothing=0.1)
        translation.backward()
        restoration = F.cross_entropy(model(corrupt(text), text).flatten(0, 1), text.flatten())
        (opts.denoise * restoration).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optim.step()
        inverse_root.step()
        supervised += translation.item()
        denoised += restoration.item()
    print(f"epoch {epoch} translation {supervised / len(loader):.3f} restoration {denoised / len(loader):.3f}")
