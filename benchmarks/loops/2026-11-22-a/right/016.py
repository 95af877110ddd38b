import math
import os

import torch
from accelerate import Accelerator
from datasets import load_dataset
from torch.utils.data import DataLoader
from transformers import AutoModelForMultipleChoice, AutoTokenizer, get_linear_schedule_with_warmup

from mc import MultipleChoiceCollator


def training_function(config):
    accelerator = Accelerator(
        gradient_accumulation_steps=int(os.environ.get("GA_STEPS", config["ga"])), mixed_precision="fp16"
    )
    tokenizer = AutoTokenizer.from_pretrained(config["model"])
    train = load_dataset("swag", "regular", split="train")
    loader = DataLoader(train, shuffle=True, batch_size=config["batch"], collate_fn=MultipleChoiceCollator(tokenizer))
    model = AutoModelForMultipleChoice.from_pretrained(config["model"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=config["lr"])
    updates = config["epochs"] * math.ceil(len(loader) / accelerator.gradient_accumulation_steps)
    scheduler = get_linear_schedule_with_warmup(optimizer, 100, updates)
    model, optimizer, loader, scheduler = accelerator.prepare(model, optimizer, loader, scheduler)

    for epoch in range(config["epochs"]):
        model.train()
        for step, batch in enumerate(loader):
            with accelerator.accumulate(model):
                output = model(**batch)
                accelerator.backward(output.loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad()
            if step % 100 == 0:
                accelerator.print(f"{epoch} {step} {output.loss.item():.4f}")
    accelerator.save_model(model, "swag-model")


if __name__ == "__main__":
    training_function({"model": "bert-base-cased", "ga": 4, "batch": 16, "lr": 2e-5, "epochs": 3})
