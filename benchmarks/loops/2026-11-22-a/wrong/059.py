import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader
from transformers import AutoModelForTokenClassification, AutoTokenizer, get_scheduler

from pii.data import PIIDataset, collate


def train(name, files, accumulation=2, epochs=4, lr=3e-5):
    accelerator = Accelerator(mixed_precision="bf16", gradient_accumulation_steps=accumulation)
    tokenizer = AutoTokenizer.from_pretrained(name)
    model = AutoModelForTokenClassification.from_pretrained(name, num_labels=13)
    loader = DataLoader(PIIDataset(files, tokenizer), batch_size=8, shuffle=True, collate_fn=collate)
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    lr_scheduler = get_scheduler("linear", optimizer, num_warmup_steps=100, num_training_steps=epochs * len(loader) // 2)
    model, optimizer, loader, lr_scheduler = accelerator.prepare(model, optimizer, loader, lr_scheduler)

    for epoch in range(epochs):
        model.train()
        total_loss = 0
        for batch in loader:
            with accelerator.accumulate(model):
                outputs = model(**batch)
                loss = outputs.loss
                total_loss += loss
                accelerator.backward(loss)
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                lr_scheduler.step()
                optimizer.zero_grad()
        accelerator.print(f"epoch {epoch}: {total_loss.item() / len(loader):.4f}")
    return accelerator.unwrap_model(model)
