import torch
from torch import nn


def train_epoch(args, model, optimizer, scheduler):
    model.train()
    loss_fn = nn.CrossEntropyLoss()
    n_batches = len(args.loader)
    for i, (audio, label) in enumerate(args.loader):
        optimizer.zero_grad()
        audio = audio.to(args.device)
        label = label.to(args.device)
        window_start = i - i % args.accum
        window = min(args.accum, n_batches - window_start)
        loss = loss_fn(model(audio), label) / window
        loss.backward()
        last_in_window = i + 1 == window_start + window
        if last_in_window:
            nn.utils.clip_grad_norm_(model.parameters(), args.clip)
            optimizer.step()
            scheduler.step()


def main(args):
    from audio_models import TDNN

    model = TDNN(args.n_mels, args.n_speakers).to(args.device)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9999)
    for _ in range(args.epochs):
        train_epoch(args, model, optimizer, scheduler)
