import argparse

import torch
import torch.nn.functional as F
from torch.optim import AdamW
from torch.utils.data import DataLoader
from tqdm import tqdm
from transformers import AutoModelForSequenceClassification, AutoTokenizer, get_linear_schedule_with_warmup

from data import ReviewDataset


def train_epoch(model, loader, optimizer, scheduler, device, max_norm=1.0):
    model.train()
    running = 0.0
    for batch in tqdm(loader, desc="train"):
        batch = {k: v.to(device) for k, v in batch.items()}
        optimizer.zero_grad()
        logits = model(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"]).logits
        loss = F.cross_entropy(logits, batch["labels"])
        loss.backward()
        optimizer.step()
        scheduler.step()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        running += loss
    return running / len(loader)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="distilroberta-base")
    parser.add_argument("--lr", type=float, default=2e-5)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch-size", type=int, default=32)
    args = parser.parse_args()

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    tokenizer = AutoTokenizer.from_pretrained(args.model)
    model = AutoModelForSequenceClassification.from_pretrained(args.model, num_labels=5).to(device)
    loader = DataLoader(ReviewDataset("train.csv", tokenizer), batch_size=args.batch_size, shuffle=True)
    optimizer = AdamW(model.parameters(), lr=args.lr)
    steps = len(loader) * args.epochs
    scheduler = get_linear_schedule_with_warmup(optimizer, int(0.1 * steps), steps)
    for epoch in range(args.epochs):
        loss = train_epoch(model, loader, optimizer, scheduler, device)
        print(f"epoch {epoch}: {loss.item():.4f}")


if __name__ == "__main__":
    main()
