import argparse

import torch
import torch.nn.functional as F

from smallm.model import Decoder
from smallm.stream import token_batches

DTYPES = {"bf16": torch.bfloat16, "fp32": torch.float32}


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dtype", choices=DTYPES, default="bf16")
    parser.add_argument("--steps", type=int, default=10_000)
    parser.add_argument("--lr", type=float, default=6e-4)
    parser.add_argument("--shards", default="data/*.bin")
    return parser.parse_args()


def main(args):
    model = Decoder.from_preset("nano").cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=0.1)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=args.steps)
    scaler = torch.amp.GradScaler()
    dtype = DTYPES[args.dtype]
    model.train()
    for step, (x, y) in zip(range(args.steps), token_batches(args.shards)):
        with torch.autocast(device_type="cuda", dtype=dtype):
            logits = model(x.cuda())
            loss = F.cross_entropy(logits.view(-1, logits.size(-1)), y.cuda().view(-1))
        optimizer.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        scheduler.step()
        if step % 100 == 0:
            print(f"step {step:6d} | loss {loss.item():.4f} | lr {scheduler.get_last_lr()[0]:.2e}")


if __name__ == "__main__":
    main(parse())
