import torch

from gradients import clip


def train_epoch(accelerator, model, loader, optimizer, scheduler, args):
    model.train()
    total = 0.0
    for batch in loader:
        with accelerator.accumulate(model):
            loss = model(**batch).loss
            total += loss.item()
            loss = loss / args.gradient_accumulation_steps
            accelerator.backward(loss)
            clip(accelerator, model, args.max_grad_norm)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
    return total / len(loader)


@torch.no_grad()
def evaluate(accelerator, model, loader):
    model.eval()
    right = seen = 0
    for batch in loader:
        guess = model(**batch).logits.argmax(-1)
        guess, labels = accelerator.gather_for_metrics((guess, batch["labels"]))
        right += (guess == labels).sum().item()
        seen += labels.numel()
    return right / seen
