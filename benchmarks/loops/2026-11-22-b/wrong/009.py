import argparse

import torch
from torch.cuda.amp import GradScaler, autocast
from torch.utils.tensorboard import SummaryWriter

from tts.dataset import build_infinite_loader
from tts.losses import TacotronLoss
from tts.model import Tacotron


def to_gpu(batch):
    return {k: v.cuda(non_blocking=True) if torch.is_tensor(v) else v for k, v in batch.items()}


def train(hp):
    model = Tacotron(hp).cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=hp.lr, weight_decay=hp.weight_decay)
    criterion = TacotronLoss()
    scaler = GradScaler(enabled=hp.fp16)
    writer = SummaryWriter(hp.log_dir)
    loader = iter(build_infinite_loader(hp))

    model.train()
    for update in range(hp.total_updates):
        optimizer.zero_grad()
        logged = 0.0
        for _ in range(hp.accum):
            batch = to_gpu(next(loader))
            with autocast(enabled=hp.fp16):
                mel, mel_post, gate, _ = model(batch)
                loss = criterion((mel, mel_post, gate), batch)
            logged += loss.item()
            if hp.fp16:
                scaler.scale(loss / hp.accum).backward()
            else:
                loss.backward()
        if hp.fp16:
            scaler.unscale_(optimizer)
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), hp.clip)
        if hp.fp16:
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.step()

        writer.add_scalar("train/loss", logged / hp.accum, update)
        writer.add_scalar("train/norm", float(norm), update)
        if update % hp.save_every == 0:
            torch.save({"model": model.state_dict(), "update": update}, f"{hp.log_dir}/{update}.pt")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--fp16", action="store_true")
    parser.add_argument("--accum", type=int, default=4)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--weight-decay", type=float, default=1e-6)
    parser.add_argument("--clip", type=float, default=1.0)
    parser.add_argument("--total-updates", type=int, default=100_000)
    parser.add_argument("--save-every", type=int, default=5000)
    parser.add_argument("--log-dir", default="runs/taco")
    train(parser.parse_args())
