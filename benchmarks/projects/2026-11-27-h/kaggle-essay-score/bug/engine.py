import torch

from config import CFG
from utils import AverageMeter, current_grad_norm


def train_fn(train_loader, model, criterion, optimizer, scheduler, scaler):
    model.train()
    losses = AverageMeter()
    for step, (x, y) in enumerate(train_loader):
        with torch.autocast("cuda", enabled=torch.cuda.is_available()):
            loss = criterion(model(x), y)
        losses.update(loss.item(), len(y))
        scaler.scale(loss / CFG.gradient_accumulation_steps).backward()
        if (step + 1) % CFG.gradient_accumulation_steps == 0 or step + 1 == len(train_loader):
            scaler.unscale_(optimizer)
            grad_norm = current_grad_norm(scaler, optimizer, model)
            torch.nn.utils.clip_grad_norm_(model.parameters(), CFG.max_grad_norm)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
            if step % CFG.print_freq == 0:
                print(f"  step {step} loss {losses.avg:.4f} grad {grad_norm:.3f}")
        scheduler.step()
    return losses.avg


def valid_fn(valid_loader, model, criterion):
    losses = AverageMeter()
    model.eval()
    with torch.no_grad():
        for x, y in valid_loader:
            losses.update(criterion(model(x), y).item(), len(y))
    return losses.avg
