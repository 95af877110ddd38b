from torch.nn.functional import mse_loss

from crew import whisper


def season(model, optimizer, baskets, plan):
    model.train()
    total = 0.0
    for n, (water, size) in enumerate(baskets, start=1):
        with whisper(model, n, plan.tide, len(baskets)):
            loss = mse_loss(model(water), size)
            (loss / plan.share).backward()
        total += loss.item()
        if n % plan.tide == 0 or n == len(baskets):
            optimizer.step()
            optimizer.zero_grad()
    return total / len(baskets)
