import torch
from torch.utils.data import DataLoader, RandomSampler
from transformers import get_linear_schedule_with_warmup


def train(args, train_dataset, model):
    loader = DataLoader(train_dataset, sampler=RandomSampler(train_dataset), batch_size=args.batch_size)
    updates = -(-len(loader) // args.grad_steps) * int(args.num_train_epochs)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.learning_rate, eps=1e-8)
    scheduler = get_linear_schedule_with_warmup(optimizer, args.warmup_steps, updates)

    def update():
        torch.nn.utils.clip_grad_norm_(model.parameters(), args.max_grad_norm)
        optimizer.step()
        optimizer.zero_grad()

    leftover = len(loader) % args.grad_steps
    global_step = 0
    for _ in range(int(args.num_train_epochs)):
        model.train()
        for step, batch in enumerate(loader):
            ids, mask, labels = (t.to(args.device) for t in batch)
            outputs = model(ids, attention_mask=mask, labels=labels)
            in_tail = step >= len(loader) - leftover
            loss = outputs[0] / (leftover if in_tail else args.grad_steps)
            loss.backward()
            scheduler.step()
            if (step + 1) % args.grad_steps == 0:
                update()
                global_step += 1
        if leftover:
            update()
            global_step += 1
    return global_step
