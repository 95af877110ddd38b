from contextlib import nullcontext
from itertools import islice

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


def count_tokens(window):
    return sum(int((batch["labels"] != -100).sum()) for batch in window)


def train(args, model, stream):
    model = DDP(model.to(args.rank), device_ids=[args.rank])
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, betas=(0.9, 0.95))
    world = dist.get_world_size()
    model.train()
    for update in range(args.updates):
        window = list(islice(stream, args.accum))
        tokens = torch.tensor(float(count_tokens(window)), device=f"cuda:{args.rank}")
        dist.all_reduce(tokens)
        shown = 0.0
        for n, batch in enumerate(window, start=1):
            with nullcontext() if n == len(window) else model.no_sync():
                logits = model(batch["input_ids"].to(args.rank))
                nll = F.cross_entropy(
                    logits.flatten(0, 1), batch["labels"].to(args.rank).flatten(), ignore_index=-100, reduction="sum"
                )
                (nll * world / tokens).backward()
            shown += nll.item()
        torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        if args.rank == 0 and update % args.log_every == 0:
            print(update, shown * world / tokens.item())
