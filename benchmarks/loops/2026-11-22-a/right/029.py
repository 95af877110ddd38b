import contextlib
import math

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from music.data import MidiTokens
from music.model import MusicTransformer


@contextlib.contextmanager
def evaluating(module):
    was_training = module.training
    module.eval()
    try:
        with torch.no_grad():
            yield module
    finally:
        module.train(was_training)


def perplexity(model, loader, device):
    nll = tokens = 0
    with evaluating(model):
        for ids in loader:
            ids = ids.to(device)
            logits = model(ids[:, :-1])
            nll += F.cross_entropy(logits.transpose(1, 2), ids[:, 1:], reduction="sum").item()
            tokens += ids[:, 1:].numel()
    return math.exp(nll / tokens)


def fit(root, steps=100_000, lr=1e-4, every=1000):
    device = torch.device("cuda")
    train = DataLoader(MidiTokens(root, "train"), batch_size=12, shuffle=True, drop_last=True)
    valid = DataLoader(MidiTokens(root, "valid"), batch_size=24)
    model = MusicTransformer(layers=8, dim=512).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=lr, betas=(0.9, 0.98), eps=1e-9)
    model.train()
    step = 0
    while step < steps:
        for ids in train:
            ids = ids.to(device)
            loss = F.cross_entropy(model(ids[:, :-1]).transpose(1, 2), ids[:, 1:])
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            step += 1
            if step % every == 0:
                print(f"{step} train {loss.item():.4f} valid ppl {perplexity(model, valid, device):.2f}")
            if step == steps:
                break
    return model
