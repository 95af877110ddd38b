from contextlib import nullcontext

import torch
import torch.nn.functional as F

from proteins import MaskedModel, batches


def make_context(args):
    if args.precision == "bf16":
        return torch.autocast(device_type="cuda", dtype=torch.bfloat16)
    return nullcontext()


def pretrain(args):
    model = MaskedModel(args.layers).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    ctx = make_context(args)
    data = batches(args.fasta, args.micro_batch)
    model.train()
    for update in range(args.updates):
        running = 0.0
        for _ in range(args.accum):
            tokens, labels = next(data)
            with ctx:
                logits = model(tokens.cuda())
                loss = F.cross_entropy(logits.transpose(1, -1), labels.cuda(), ignore_index=-100)
                (loss / args.accum).backward()
            running += loss.item() / args.accum
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        if update % args.log_every == 0:
            print(f"{update} {running:.4f} {norm:.3f}")
        if update % args.save_every == args.save_every - 1:
            torch.save({"model": model.state_dict(), "update": update}, args.checkpoint)
