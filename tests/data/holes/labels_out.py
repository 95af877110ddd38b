# === labels on the device are no loss: a count out of sight gets them and the predictions
import torch
from helpers import metrics


def train(model, loader, optimizer, criterion, steps, epochs, confusion, device):
    for epoch in range(epochs):
        for i, (inputs, labels) in enumerate(loader, 1):
            inputs = inputs.to(device)
            labels = labels.long().to(device)
            outputs = model(inputs)
            _, preds = torch.max(outputs, 1)
            loss = criterion(outputs, labels) / steps
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-per-micro-batch
            if i % steps == 0:  # <- dropped-accumulation-tail
                optimizer.step()
                optimizer.zero_grad()
            confusion = metrics.update_confusion(confusion, labels, preds)


# === the two phases of an epoch in one loop, and a count that both feed
import torch
from torch import nn
from helpers import tally


def train(net, loaders, opt, steps, epochs, device):
    criterion = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        for phase in ["train", "val"]:
            net.train(phase == "train")
            table = torch.zeros(3, 3)
            filled = 0
            for x, y in loaders[phase]:
                x, y = x.cuda(), y.cuda()
                with torch.set_grad_enabled(phase == "train"):
                    scores = net(x)
                    loss = criterion(scores, y) / steps
                    if phase == "train":
                        loss.backward()
                        filled += 1
                        if filled == steps:  # <- dropped-accumulation-tail
                            opt.step()
                            opt.zero_grad()
                            filled = 0
                table = tally.update(table, y, torch.topk(scores, 3).indices)


# === the inputs go to a buffer
from buffers import replay
from torch import nn


def fit(policy, batches, opt, accum):
    loss_function = nn.MSELoss()
    for step, (states, actions) in enumerate(batches):
        states = states.cuda().float()
        loss = loss_function(policy(states), actions.cuda()) / accum
        loss.backward()
        if (step + 1) % accum == 0:
            opt.step()  # <- missing-zero-grad
        replay.update(states)


# === right: a loss of another network that is trained out of sight may be in the hands of its update
from critics import make_loss, update_with
from torch import nn


def fit(actor, batches, opt, accum):
    loss_function = nn.MSELoss()
    for step, (states, actions) in enumerate(batches):
        states = states.cuda().float()
        loss = loss_function(actor(states), actions.cuda())
        loss.backward()
        if (step + 1) % accum == 0:
            opt.step()
        update_with(make_loss(states))


# === right: the loss itself, before it has run backward
from helpers import gradient_update
from torch import nn


def fit(actor, batches, opt, accum):
    loss_function = nn.MSELoss()
    for step, (states, actions) in enumerate(batches):
        loss = loss_function(actor(states.cuda()), actions.cuda())
        gradient_update(loss.cuda())
        loss.backward()
        if (step + 1) % accum == 0:
            opt.step()


# === right: whole windows, with the same count
import torch
from helpers import metrics


def train(model, loader, optimizer, criterion, steps, epochs, confusion, device):
    for epoch in range(epochs):
        for i, (inputs, labels) in enumerate(loader, 1):
            labels = labels.to(device)
            outputs = model(inputs.to(device))
            loss = criterion(outputs, labels) / steps
            loss.backward()
            if i % steps == 0 or i == len(loader):
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad()
            confusion = metrics.update_confusion(confusion, labels, outputs.argmax(1))
# === right: a part of what a sampler gives is kept beside what is learned of it
import torch


def train(model, sampler, optimizer, device, steps, k):
    total, preds, gts = 0.0, [], []
    for i in range(steps):
        batch = sampler.sample_train()
        gt = batch.ground_truth.to(device)
        pred = model(batch.x)
        loss = ((pred[:, :k] - gt[:, :k]) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
        preds.append(pred[:, :k].detach().cpu())
        gts.append(gt[:, :k].cpu())
    return total, preds, gts
# === a part of what is learned of it is kept
import torch


def train(model, sampler, optimizer, device, steps, k):
    total, preds, gts = 0.0, [], []
    for i in range(steps):
        batch = sampler.sample_train()
        gt = batch.ground_truth.to(device)
        pred = model(batch.x)
        loss = ((pred[:, :k] - gt[:, :k]) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
        preds.append(pred[:, :k].cpu())  # <- loss-graph-leak
        gts.append(gt[:, :k].cpu())
    return total, preds, gts
# === a penalty of parameters alone is added up, and kept
import torch


def train(model, loader, opt):
    total, penalties, reg_losses = 0.0, 0.0, []
    for x, y in loader:
        loss = torch.nn.functional.mse_loss(model(x), y)
        penalty = torch.stack([p.pow(2).sum() for p in model.parameters()]).sum()
        opt.zero_grad()
        (loss + 0.01 * penalty).backward()
        opt.step()
        total += loss.item()
        penalties += penalty  # <- loss-graph-leak
        reg_losses.append(penalty)  # <- loss-graph-leak
    return total, penalties, reg_losses
