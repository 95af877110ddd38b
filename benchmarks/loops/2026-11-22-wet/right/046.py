import torch
from torch import nn
from tqdm import tqdm


def train(args, model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=args.decay_every, gamma=0.5)
    criterion = nn.MultiLabelSoftMarginLoss()
    micro_batches = 0
    updates = 0
    optimizer.zero_grad()
    while updates < args.max_updates:
        model.train()
        for image, labels in tqdm(loader):
            loss = criterion(model(image.to(args.device)), labels.to(args.device))
            loss = loss / args.accumulate
            loss.backward()
            micro_batches += 1
            if micro_batches % args.accumulate == 0:
                nn.utils.clip_grad_norm_(model.parameters(), args.clip)
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad()
                updates += 1
                if updates >= args.max_updates:
                    break
        print(f"{micro_batches} micro-batches, {updates} updates, loss {loss.item() * args.accumulate:.4f}")
        torch.save(model.state_dict(), args.checkpoint)
