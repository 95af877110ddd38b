import itertools

import torch
import torch.nn.functional as F

from hub import load_reward_model
from preferences import comparison_loader


def divide_in_backward(module, n):
    handles = []
    for p in module.parameters():
        if p.requires_grad:
            handles.append(p.register_hook(lambda grad: grad / n))
    return handles


def main(window=4, updates=500):
    model = load_reward_model("tiny").cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=9e-6)
    comparisons = itertools.cycle(comparison_loader(batch_size=2))
    handles = divide_in_backward(model, window)
    model.train()
    for update in range(updates):
        margin = 0.0
        for chosen, rejected in itertools.islice(comparisons, window):
            difference = model(**chosen) - model(**rejected)
            loss = -F.logsigmoid(difference).mean()
            loss.backward()
            margin += difference.mean().item() / window
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        if update % 25 == 0:
            print(update, f"{margin:+.3f}")
    for handle in handles:
        handle.remove()
    torch.save(model.state_dict(), "reward.pt")


main()
