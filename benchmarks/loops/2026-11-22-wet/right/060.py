import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR, LinearLR, SequentialLR
from tqdm import tqdm


def fit(args, model):
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    rise = LinearLR(optimizer, start_factor=0.01, total_iters=args.warmup)
    fall = CosineAnnealingLR(optimizer, T_max=args.updates - args.warmup)
    schedule = SequentialLR(optimizer, [rise, fall], milestones=[args.warmup])
    advance, step, clear = schedule.step, optimizer.step, optimizer.zero_grad
    huber = nn.HuberLoss(delta=0.5)

    accumulated, updates = 0, 0
    bar = tqdm(total=args.updates)
    model.train()
    while updates < args.updates:
        for state, action, value in args.loader:
            predicted = model(state.to(args.device), action.to(args.device))
            loss = huber(predicted.squeeze(-1), value.to(args.device)) / args.window
            loss.backward()
            accumulated += 1
            if accumulated < args.window:
                continue
            nn.utils.clip_grad_norm_(model.parameters(), args.clip)
            step()
            advance()
            clear()
            accumulated = 0
            updates += 1
            bar.update()
            bar.set_postfix(loss=loss.item() * args.window)
            if updates == args.updates:
                break
    return model
