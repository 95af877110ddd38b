import math

import torch
from accelerate import Accelerator
from datasets import load_dataset
from torch.utils.data import DataLoader
from tqdm.auto import tqdm
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer, DataCollatorForSeq2Seq, get_scheduler


def main(model_name="t5-small", lr=5e-5, epochs=3, batch_size=16, accumulation=4, max_grad_norm=1.0):
    accelerator = Accelerator(mixed_precision="fp16", gradient_accumulation_steps=accumulation)
    tokenizer = AutoTokenizer.from_pretrained(model_name)
    model = AutoModelForSeq2SeqLM.from_pretrained(model_name)

    def encode(example):
        features = tokenizer("summarize: " + example["dialogue"], truncation=True, max_length=512)
        features["labels"] = tokenizer(text_target=example["summary"], truncation=True, max_length=96)["input_ids"]
        return features

    raw = load_dataset("knkarthick/samsum", split="train")
    train = raw.map(encode, remove_columns=raw.column_names)
    loader = DataLoader(train, batch_size, shuffle=True, collate_fn=DataCollatorForSeq2Seq(tokenizer, model))
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    updates = epochs * math.ceil(len(loader) / accumulation)
    scheduler = get_scheduler("cosine", optimizer, 100, updates)
    model, optimizer, loader, scheduler = accelerator.prepare(model, optimizer, loader, scheduler)

    bar = tqdm(range(updates), disable=not accelerator.is_local_main_process)
    for _ in range(epochs):
        model.train()
        for batch in loader:
            with accelerator.accumulate(model):
                loss = model(**batch).loss
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    torch.nn.utils.clip_grad_norm_(model.parameters(), max_grad_norm)
                    bar.update(1)
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad()
    accelerator.wait_for_everyone()
    accelerator.unwrap_model(model).save_pretrained("out")


if __name__ == "__main__":
    main()
