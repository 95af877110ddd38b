import argparse
import json

import deepspeed
import torch
from torch.optim.lr_scheduler import OneCycleLR
from transformers import AutoModelForCausalLM

from dialog.data import endless_batches

DS_CONFIG = {
    "train_micro_batch_size_per_gpu": 4,
    "gradient_accumulation_steps": 16,
    "gradient_clipping": 1.0,
    "bf16": {"enabled": True},
    "zero_optimization": {"stage": 1},
}


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="facebook/opt-1.3b")
    parser.add_argument("--updates", type=int, default=4000)
    parser.add_argument("--lr", type=float, default=9.65e-6)
    parser.add_argument("--local_rank", type=int, default=-1)
    return parser.parse_args()


def main():
    args = parse()
    deepspeed.init_distributed()
    model = AutoModelForCausalLM.from_pretrained(args.model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, betas=(0.9, 0.95))
    lr_scheduler = OneCycleLR(optimizer, max_lr=args.lr, total_steps=args.updates, pct_start=0.05)
    engine, optimizer, _, _ = deepspeed.initialize(model=model, optimizer=optimizer, config=DS_CONFIG)

    micro_batches = args.updates * DS_CONFIG["gradient_accumulation_steps"]
    engine.train()
    for micro, batch in enumerate(endless_batches(DS_CONFIG["train_micro_batch_size_per_gpu"])):
        if micro == micro_batches:
            break
        batch = {k: v.to(engine.device) for k, v in batch.items()}
        loss = engine(**batch, use_cache=False).loss
        engine.backward(loss)
        engine.step()
        lr_scheduler.step()
        if engine.is_gradient_accumulation_boundary() and engine.global_rank == 0:
            print(json.dumps({"micro": micro, "loss": loss.item(), "lr": lr_scheduler.get_last_lr()[0]}))
    engine.save_checkpoint("checkpoints")


if __name__ == "__main__":
    main()
