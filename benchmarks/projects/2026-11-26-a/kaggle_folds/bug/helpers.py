import numpy as np
import torch

from config import CFG
from utils import AverageMeter, timer


def train_fn(fold, train_loader, model, criterion, optimizer, epoch, scheduler, device):
    losses = AverageMeter()
    grad_norm = 0.0
    elapsed = timer()
    for step, (features, labels) in enumerate(train_loader):
        features = features.to(device)
        labels = labels.to(device)
        batch_size = labels.size(0)
        y_preds = model(features)
        loss = criterion(y_preds, labels)
        losses.update(loss, batch_size)
        if CFG.gradient_accumulation_steps > 1:
            loss = loss / CFG.gradient_accumulation_steps
        optimizer.zero_grad()
        loss.backward()
        if (step + 1) % CFG.gradient_accumulation_steps == 0:
            grad_norm = torch.nn.utils.clip_grad_norm_(model.parameters(), CFG.max_grad_norm)
            optimizer.step()
        if step % CFG.print_freq == 0 or step == len(train_loader) - 1:
            print(f"Fold {fold} Epoch [{epoch + 1}][{step}/{len(train_loader)}] {elapsed()} "
                  f"Loss {losses.val:.4f} ({losses.avg:.4f}) Grad {grad_norm:.4f}")
    scheduler.step()
    return losses.avg


def valid_fn(valid_loader, model, criterion, device):
    losses = AverageMeter()
    model.eval()
    preds = []
    for features, labels in valid_loader:
        features = features.to(device)
        labels = labels.to(device)
        with torch.no_grad():
            y_preds = model(features)
        loss = criterion(y_preds, labels)
        losses.update(loss.item(), labels.size(0))
        preds.append(y_preds.sigmoid().to("cpu").numpy())
    return losses.avg, np.concatenate(preds)
