import os

import torch
from torch import nn
from torch.utils.data import DataLoader
from transformers import BertForTokenClassification, BertTokenizerFast, get_linear_schedule_with_warmup

from ner.data import ConllDataset, padded


def window_sizes(n_batches, accum):
    full, rest = divmod(n_batches, accum)
    return [accum] * full + ([rest] if rest else [])


def train(args):
    tokenizer = BertTokenizerFast.from_pretrained(args.model)
    dataset = ConllDataset(args.data, tokenizer)
    n_gpu = max(1, torch.cuda.device_count())
    loader = DataLoader(dataset, args.batch * n_gpu, shuffle=True, collate_fn=padded)
    model = BertForTokenClassification.from_pretrained(args.model, num_labels=dataset.n_labels).cuda()
    if n_gpu > 1:
        model = nn.DataParallel(model)

    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    sizes = window_sizes(len(loader), args.accum)
    scheduler = get_linear_schedule_with_warmup(optimizer, len(sizes), len(sizes) * args.epochs)

    for epoch in range(args.epochs):
        model.train()
        batches = iter(loader)
        seen = 0.0
        for size in sizes:
            for _ in range(size):
                batch = {k: v.cuda(non_blocking=True) for k, v in next(batches).items()}
                loss = model(**batch).loss
                if n_gpu > 1:
                    loss = loss.mean()
                loss = loss / size
                loss.backward()
                seen += loss.item()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            scheduler.step()
            model.zero_grad()
        print(f"epoch {epoch} loss {seen / len(sizes):.4f}")
        inner = model.module if isinstance(model, nn.DataParallel) else model
        inner.save_pretrained(os.path.join(args.out, str(epoch)))
