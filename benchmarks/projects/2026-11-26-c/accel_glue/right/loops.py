import torch

from optim_utils import clip_gradients


def train_epoch(accelerator, model, dataloader, optimizer, lr_scheduler, args):
    model.train()
    total_loss = 0.0
    for batch in dataloader:
        with accelerator.accumulate(model):
            outputs = model(**batch)
            loss = outputs["loss"]
            total_loss += loss.detach().float().item()
            accelerator.backward(loss)
            clip_gradients(accelerator, model, args.max_grad_norm)
            optimizer.step()
            lr_scheduler.step()
            optimizer.zero_grad()
    return total_loss / len(dataloader)


def evaluate(accelerator, model, dataloader):
    model.eval()
    correct = total = 0
    for batch in dataloader:
        with torch.no_grad():
            outputs = model(**batch)
        predictions = outputs["logits"].argmax(dim=-1)
        predictions, references = accelerator.gather_for_metrics((predictions, batch["labels"]))
        correct += (predictions == references).sum().item()
        total += references.numel()
    return correct / total
