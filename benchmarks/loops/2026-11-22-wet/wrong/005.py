from accelerate import Accelerator
import torch
from transformers import AutoModelForSequenceClassification, get_linear_schedule_with_warmup

from glue import build_loaders


def main(args):
    accelerator = Accelerator(gradient_accumulation_steps=args.accum, mixed_precision="bf16")
    train_loader, eval_loader = build_loaders(args)
    model = AutoModelForSequenceClassification.from_pretrained(args.name)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    scheduler = get_linear_schedule_with_warmup(optimizer, 100, args.epochs * len(train_loader))
    model, optimizer, train_loader, eval_loader, scheduler = accelerator.prepare(
        model, optimizer, train_loader, eval_loader, scheduler
    )

    for epoch in range(args.epochs):
        model.train()
        for batch in train_loader:
            with accelerator.accumulate(model):
                outputs = model(**batch)
                accelerator.backward(outputs.loss)
                optimizer.step()
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), 1.0)
                scheduler.step()
                optimizer.zero_grad()

        model.eval()
        hits = total = 0
        for batch in eval_loader:
            with torch.no_grad():
                predictions = model(**batch).logits.argmax(dim=-1)
            predictions, references = accelerator.gather_for_metrics((predictions, batch["labels"]))
            hits += (predictions == references).sum().item()
            total += references.numel()
        accelerator.print(f"epoch {epoch}: {hits / total:.4f}")
