import torch
from torch.utils.data import DataLoader
from tqdm.auto import tqdm
from transformers import get_cosine_schedule_with_warmup


def finetune(model, dataset, collate, args):
    loader = DataLoader(dataset, args.per_device_batch, shuffle=True, collate_fn=collate, drop_last=True)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.learning_rate)
    updates_per_epoch = -(-len(loader) // args.gradient_accumulation_steps)
    lr_scheduler = get_cosine_schedule_with_warmup(optimizer, args.warmup, args.epochs * updates_per_epoch)

    progress = tqdm(total=args.epochs * updates_per_epoch)
    for epoch in range(args.epochs):
        model.train()
        for step, batch in enumerate(loader):
            batch = {k: v.to(args.device) for k, v in batch.items()}
            outputs = model(**batch)
            loss = outputs.loss
            loss.backward()
            if (step + 1) % args.gradient_accumulation_steps == 0 or step + 1 == len(loader):
                optimizer.step()
                lr_scheduler.step()
                optimizer.zero_grad()
                progress.update(1)
                progress.set_postfix(loss=loss.item())
        model.save_pretrained(f"{args.output_dir}/epoch-{epoch}")
