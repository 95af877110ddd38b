import numpy as np

from cfg import *
from utils import *


def train_fn(train_loader, model, criterion, optimizer, rates):
    model.train()
    losses = AverageMeter()
    for step, (inputs, labels) in enumerate(train_loader):
        loss = criterion(model(inputs), labels)
        losses.update(loss.item(), labels.size(0))
        if CFG.gradient_accumulation_steps > 1:
            loss = loss / CFG.gradient_accumulation_steps
        loss.backward()
        if is_boundary(step, len(train_loader)):
            optimizer.step()
            optimizer.zero_grad()
            rates.tick()
    return losses.avg


def valid_fn(valid_loader, model, criterion):
    model.eval()
    losses, preds = AverageMeter(), []
    for inputs, labels in valid_loader:
        y_preds = model(inputs)
        losses.update(criterion(y_preds, labels).item(), labels.size(0))
        preds.append(y_preds.sigmoid().detach().numpy())
    return losses.avg, np.concatenate(preds)
