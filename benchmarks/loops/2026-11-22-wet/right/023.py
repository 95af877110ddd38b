import argparse

import torch
import torch.nn.functional as F

from text8 import CharTransformer, windows


def get_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dtype", choices=["float32", "bfloat16", "float16"], default="bfloat16")
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--lr", type=float, default=1e-3)
    return parser.parse_args()


def main():
    args = get_args()
    dtype = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}[args.dtype]
    model = CharTransformer(layers=6, heads=8, dim=512).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    scaler = torch.amp.GradScaler("cuda", enabled=dtype is torch.float16)
    mixed = torch.amp.autocast("cuda", dtype=dtype, enabled=dtype is not torch.float32)

    model.train()
    for step, tokens in enumerate(windows("text8", length=513, batch=32)):
        if step >= args.steps:
            break
        tokens = tokens.cuda()
        with mixed:
            logits = model(tokens[:, :-1])
            loss = F.cross_entropy(logits.transpose(1, 2), tokens[:, 1:])
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad(set_to_none=True)
        if step % 500 == 0:
            print(step, loss.item() / 0.6931)


main()
