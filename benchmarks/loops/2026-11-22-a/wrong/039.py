import argparse
import math

import torch
from torch.utils.data import DataLoader
from tqdm import tqdm
from transformers import (
    AutoModelForCausalLM,
    AutoTokenizer,
    DataCollatorForLanguageModeling,
    get_cosine_schedule_with_warmup,
)

from corpora import packed_dataset


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model_name_or_path", default="gpt2-medium")
    parser.add_argument("--per_device_train_batch_size", type=int, default=4)
    parser.add_argument("--gradient_accumulation_steps", type=int, default=8)
    parser.add_argument("--learning_rate", type=float, default=5e-5)
    parser.add_argument("--num_train_epochs", type=int, default=3)
    parser.add_argument("--warmup_ratio", type=float, default=0.03)
    return parser.parse_args()


def main():
    args = parse_args()
    tokenizer = AutoTokenizer.from_pretrained(args.model_name_or_path)
    model = AutoModelForCausalLM.from_pretrained(args.model_name_or_path).cuda()
    dataset = packed_dataset("wikitext", tokenizer, block=1024)
    loader = DataLoader(
        dataset,
        shuffle=True,
        batch_size=args.per_device_train_batch_size,
        collate_fn=DataCollatorForLanguageModeling(tokenizer, mlm=False),
    )
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.learning_rate)
    updates_per_epoch = math.ceil(len(loader) / args.gradient_accumulation_steps)
    max_train_steps = args.num_train_epochs * updates_per_epoch
    lr_scheduler = get_cosine_schedule_with_warmup(optimizer, int(args.warmup_ratio * max_train_steps), max_train_steps)

    bar = tqdm(total=max_train_steps)
    for epoch in range(args.num_train_epochs):
        model.train()
        for step, batch in enumerate(loader):
            batch = {k: v.cuda() for k, v in batch.items()}
            loss = model(**batch).loss / args.gradient_accumulation_steps
            loss.backward()
            if (step + 1) % args.gradient_accumulation_steps == 0 or step == len(loader) - 1:
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad()
                bar.update(1)
            lr_scheduler.step()
        model.save_pretrained(f"out/epoch_{epoch}")


if __name__ == "__main__":
    main()
