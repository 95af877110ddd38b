import itertools

import torch
import torch.nn.functional as F


def finetune(model, loader, *, lr, window, max_updates, max_norm=1.0):
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    scaler = torch.cuda.amp.GradScaler()
    norms = []
    model.cuda().train()
    micro_batches = itertools.cycle(loader)
    for update in range(max_updates):
        optimizer.zero_grad(set_to_none=True)
        for _ in range(window):
            prompt, answer = next(micro_batches)
            with torch.autocast("cuda", dtype=torch.float16):
                logits = model(prompt.cuda())
                loss = F.cross_entropy(logits.flatten(0, -2), answer.cuda().flatten()) / window
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        norms.append(norm.item())
        scaler.step(optimizer)
        scaler.update()
        if update % 50 == 49:
            print(update + 1, sum(norms[-50:]) / 50)
    return norms
