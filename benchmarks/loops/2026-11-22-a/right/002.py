import argparse

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader
from transformers import AutoModelForCausalLM, AutoTokenizer

from chat.data import ChatDataset, collate


def compute_loss(model, batch, weight):
    batch = {k: v.to(model.device) for k, v in batch.items()}
    labels = batch.pop("labels")
    logits = model(**batch).logits[:, :-1].float()
    loss = F.cross_entropy(logits.reshape(-1, logits.size(-1)), labels[:, 1:].reshape(-1), ignore_index=-100)
    return loss * weight, loss.item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--base", default="Qwen/Qwen2.5-0.5B")
    parser.add_argument("--data", default="chat.jsonl")
    parser.add_argument("--batch", type=int, default=2)
    parser.add_argument("--accumulate", type=int, default=16)
    parser.add_argument("--lr", type=float, default=1e-5)
    args = parser.parse_args()

    tokenizer = AutoTokenizer.from_pretrained(args.base)
    model = AutoModelForCausalLM.from_pretrained(args.base, torch_dtype=torch.bfloat16).cuda()
    loader = DataLoader(ChatDataset(args.data, tokenizer), args.batch, shuffle=True, collate_fn=collate)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    model.train()
    optimizer.zero_grad()
    for i, batch in enumerate(loader):
        loss, value = compute_loss(model, batch, weight=1 / args.accumulate)
        loss.backward()
        if (i + 1) % args.accumulate and i + 1 < len(loader):
            continue
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        print(f"{i + 1}/{len(loader)} {value:.4f}")
    model.save_pretrained("chat-model")


if __name__ == "__main__":
    main()
