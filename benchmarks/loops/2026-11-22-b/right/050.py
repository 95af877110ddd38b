import argparse

import deepspeed
import torch
from transformers import AutoModelForSeq2SeqLM

from translate.data import build_dataset


def config(args):
    return {
        "train_micro_batch_size_per_gpu": args.micro_batch,
        "gradient_accumulation_steps": args.accum,
        "gradient_clipping": args.max_norm,
        "optimizer": {"type": "AdamW", "params": {"lr": args.lr, "betas": [0.9, 0.98]}},
        "scheduler": {
            "type": "WarmupLR",
            "params": {"warmup_min_lr": 0, "warmup_max_lr": args.lr, "warmup_num_steps": args.warmup},
        },
        "fp16": {"enabled": True, "initial_scale_power": 16},
        "zero_optimization": {"stage": 2},
    }


def train(args):
    model = AutoModelForSeq2SeqLM.from_pretrained(args.model)
    dataset, collate = build_dataset(args)
    engine, optimizer, loader, lr_scheduler = deepspeed.initialize(
        args=args,
        model=model,
        model_parameters=[p for p in model.parameters() if p.requires_grad],
        training_data=dataset,
        collate_fn=collate,
        config=config(args),
    )
    engine.train()
    running = 0.0
    for epoch in range(args.epochs):
        for batch in loader:
            batch = {k: v.to(engine.device) for k, v in batch.items()}
            loss = engine(**batch).loss
            engine.backward(loss)
            running += loss.item()
            at_boundary = engine.is_gradient_accumulation_boundary()
            engine.step()
            if at_boundary and engine.global_rank == 0 and engine.global_steps % 20 == 0:
                print(engine.global_steps, running / (20 * args.accum), lr_scheduler.get_last_lr())
                running = 0.0
        torch.distributed.barrier()
        engine.save_checkpoint(args.out, client_state={"epoch": epoch})


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="facebook/mbart-large-50")
    parser.add_argument("--micro-batch", type=int, default=4)
    parser.add_argument("--accum", type=int, default=8)
    parser.add_argument("--max-norm", type=float, default=1.0)
    parser.add_argument("--lr", type=float, default=3e-5)
    parser.add_argument("--warmup", type=int, default=500)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--out", default="ckpt")
    parser.add_argument("--local_rank", type=int, default=-1)
    train(parser.parse_args())
