import argparse
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler
from transformers import AutoModelForCausalLM, get_cosine_schedule_with_warmup

from sft.data import SFTDataset, pad_collate


def setup(args):
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    model = AutoModelForCausalLM.from_pretrained(args.model, torch_dtype=torch.bfloat16).cuda()
    model.gradient_checkpointing_enable()
    return DDP(model, device_ids=[local_rank]), local_rank


def main(args):
    model, local_rank = setup(args)
    dataset = SFTDataset(args.data)
    sampler = DistributedSampler(dataset, shuffle=True, drop_last=True)
    loader = DataLoader(dataset, batch_size=args.batch_size, sampler=sampler, collate_fn=pad_collate)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    updates_per_epoch = -(-len(loader) // args.accum)
    scheduler = get_cosine_schedule_with_warmup(optimizer, 50, updates_per_epoch * args.epochs)

    model.train()
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        window = min(args.accum, len(loader))
        for i, batch in enumerate(loader):
            if i % args.accum == 0:
                window = min(args.accum, len(loader) - i)
            last = (i + 1) % args.accum == 0 or i + 1 == len(loader)
            if not last:
                model.no_sync()
            batch = {k: v.cuda(local_rank, non_blocking=True) for k, v in batch.items()}
            loss = model(**batch).loss / window
            loss.backward()
            if last:
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad(set_to_none=True)
        if local_rank == 0:
            model.module.save_pretrained(f"{args.out}/epoch{epoch}")
        dist.barrier()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="gpt2")
    parser.add_argument("--data", required=True)
    parser.add_argument("--out", default="out")
    parser.add_argument("--batch-size", type=int, default=4)
    parser.add_argument("--accum", type=int, default=8)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--lr", type=float, default=1e-5)
    main(parser.parse_args())
