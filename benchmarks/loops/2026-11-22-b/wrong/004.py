import argparse
import math

import torch
from torch.utils.data import DataLoader
from tqdm.auto import tqdm
from transformers import AutoModelForMaskedLM, AutoTokenizer, DataCollatorForLanguageModeling, get_scheduler

from mlm.data import tokenized


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="roberta-base")
    parser.add_argument("--gradient_accumulation_steps", type=int, default=8)
    parser.add_argument("--per_device_batch", type=int, default=8)
    parser.add_argument("--max_train_steps", type=int, default=10_000)
    parser.add_argument("--lr", type=float, default=5e-5)
    args = parser.parse_args()

    tokenizer = AutoTokenizer.from_pretrained(args.model)
    model = AutoModelForMaskedLM.from_pretrained(args.model).cuda()
    collator = DataCollatorForLanguageModeling(tokenizer, mlm_probability=0.15)
    dataset = tokenized(tokenizer)
    usable = len(dataset) // (args.per_device_batch * args.gradient_accumulation_steps)
    dataset = dataset.select(range(usable * args.per_device_batch * args.gradient_accumulation_steps))
    loader = DataLoader(dataset, args.per_device_batch, shuffle=True, collate_fn=collator)

    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    lr_scheduler = get_scheduler(
        "linear", optimizer, num_warmup_steps=500, num_training_steps=args.max_train_steps
    )
    epochs = math.ceil(args.max_train_steps / usable)
    progress = tqdm(range(args.max_train_steps))
    completed_steps = 0

    for _ in range(epochs):
        model.train()
        for step, batch in enumerate(loader):
            outputs = model(**{k: v.cuda() for k, v in batch.items()})
            loss = outputs.loss / args.gradient_accumulation_steps
            loss.backward()
            if (step + 1) % args.gradient_accumulation_steps == 0:
                optimizer.step()
                optimizer.zero_grad()
                progress.update(1)
                completed_steps += 1
            lr_scheduler.step()
            if completed_steps >= args.max_train_steps:
                break
    model.save_pretrained("out")


if __name__ == "__main__":
    main()
